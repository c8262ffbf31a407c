import etag from '@koa/etag';
import Router from '@koa/router';
import type Koa from 'koa';
import conditional from 'koa-conditional-get';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { runRoute } from './pipeline.ts';
import { BASE_PATH, type Route } from './route.ts';

/** All routes below `/v2`. Paths match exactly: no other case, no trailing slash. */
export function mountRoutes(app: AppContext, routes: readonly Route[]): Router {
  const router = new Router({ prefix: BASE_PATH, sensitive: true, strict: true });
  for (const route of fixedPathsFirst(routes)) {
    const validators = route.cacheable ? [ignoreCacheControl, conditional(), etag()] : [];
    router.register(toKoaPath(route.path), [route.method], [...validators, endpoint(app, route)]);
  }
  for (const [path, allowed] of Map.groupBy(fixedPathsFirst(routes), (route) => route.path)) {
    const methods = allowed.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));
    router.all(toKoaPath(path), () => {
      throw new ApiError('METHOD_NOT_ALLOWED', 'This path does not take that method.', {
        headers: { Allow: methods.join(', ') },
      });
    });
  }
  return router;
}

/** `fetch` adds `Cache-Control: no-cache` to a conditional request, which would turn each 304 into a 200. */
const ignoreCacheControl: Koa.Middleware = (http, next) => {
  delete http.req.headers['cache-control'];
  return next();
};

function endpoint(app: AppContext, route: Route): Koa.Middleware {
  return async (http) => {
    http.state.route = route.path;
    const params = (http as unknown as { params: unknown }).params;
    const response = await runRoute(app, route, http, params);
    if (route.tag === 'Leads') http.state.leadId = leadIdOf(params, response.body);
    http.status = response.status;
    if (route.cacheable) http.set('Cache-Control', 'private, max-age=86400');
    if (response.headers) http.set(response.headers);
    http.body = response.body;
  };
}

/** For the log: the id in the path, else the one in the response. */
function leadIdOf(params: unknown, body: unknown): string | undefined {
  return (params as { id?: string }).id ?? (body as { id?: string }).id;
}

/** `/developers/search` is not the developer with the id "search". */
function fixedPathsFirst(routes: readonly Route[]): Route[] {
  return routes.toSorted((a, b) => parameterCount(a) - parameterCount(b));
}

function parameterCount({ path }: Route): number {
  return path.split('{').length - 1;
}

function toKoaPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
