import etag from '@koa/etag';
import Router from '@koa/router';
import type Koa from 'koa';
import conditional from 'koa-conditional-get';
import { letStrangersInTurn, senderOf } from '../auth/strangers.ts';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { readBody } from './body.ts';
import { runRoute } from './pipeline.ts';
import { BASE_PATH, type Route } from './route.ts';

/** All routes below `/v2`. Paths match exactly: no other case, no trailing slash. */
export function mountRoutes(app: AppContext, routes: readonly Route[]): Router {
  const letIn = letStrangersInTurn(app);
  const router = new Router({ prefix: BASE_PATH, sensitive: true, strict: true });
  for (const route of fixedPathsFirst(routes)) {
    const validators = validatorsOf(route);
    const steps = [...validators, receiveBody(app, route), letIn, endpoint(app, route)];
    router.register(toKoaPath(route.path), [route.method], steps);
  }
  for (const [path, allowed] of Map.groupBy(fixedPathsFirst(routes), (route) => route.path)) {
    const methods = allowed.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));
    router.all(toKoaPath(path), letIn, () => {
      throw new ApiError('METHOD_NOT_ALLOWED', 'This path does not take that method.', {
        headers: { Allow: methods.join(', ') },
      });
    });
  }
  return router;
}

function validatorsOf({ cacheable, hasOwnValidator }: Route): Koa.Middleware[] {
  if (hasOwnValidator) return [ignoreCacheControl, conditional()];
  return cacheable ? [ignoreCacheControl, conditional(), etag()] : [];
}

/** `fetch` adds `Cache-Control: no-cache` to a conditional request, which would turn each 304 into a 200. */
const ignoreCacheControl: Koa.Middleware = (http, next) => {
  delete http.req.headers['cache-control'];
  return next();
};

/** Before the turn, since a body may take its time. */
function receiveBody(app: AppContext, route: Route): Koa.Middleware {
  return async (http, next) => {
    const { sender } = senderOf(app, http);
    if (route.body) http.state.sentBody = await readBody(http.res, app.bodyRoom, sender);
    await next();
  };
}

function endpoint(app: AppContext, route: Route): Koa.Middleware {
  return async (http) => {
    http.state.route = route.path;
    const { params } = http as unknown as { params: { id?: string } };
    const body = await runRoute(app, route, http, params);
    if (route.tag === 'Leads') http.state.leadId = params.id ?? (body as { id?: string }).id;
    http.status = route.response.status ?? 200;
    if (route.cacheable) http.set('Cache-Control', 'private, max-age=86400');
    http.body = body;
  };
}

/** `/developers/search` is not the developer with the id "search". */
function fixedPathsFirst(routes: readonly Route[]): Route[] {
  const hasParameter = ({ path }: Route) => Number(path.includes('{'));
  return routes.toSorted((a, b) => hasParameter(a) - hasParameter(b));
}

function toKoaPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
