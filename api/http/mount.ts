import Router from '@koa/router';
import type { AppContext } from '../context.ts';
import { ApiError, notFound } from '../errors.ts';
import { runRoute } from './pipeline.ts';
import type { Route } from './route.ts';

export const BASE_PATH = '/v2';

/** All routes below `/v2`. Paths are matched to the letter: no other case, no trailing slash. */
export function mountRoutes(app: AppContext, routes: readonly Route[]): Router {
  const router = new Router({ prefix: BASE_PATH, sensitive: true, strict: true });
  for (const route of routes) {
    router.register(toKoaPath(route.path), [route.method], async (http) => {
      const answer = await runRoute(app, route, http, http.params);
      http.status = answer.status;
      http.set('Cache-Control', route.cacheable ? 'private, max-age=86400' : 'no-store');
      if (answer.headers) http.set(answer.headers);
      http.body = answer.body;
    });
  }
  for (const [path, methods] of methodsByPath(routes)) {
    router.all(toKoaPath(path), () => {
      throw new ApiError('METHOD_NOT_ALLOWED', 'This path does not take that method.', {
        headers: { Allow: methods.join(', ') },
      });
    });
  }
  router.all(/.*/, () => {
    throw notFound('This path');
  });
  return router;
}

function toKoaPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of routes) {
    methods.set(path, [
      ...(methods.get(path) ?? []),
      method,
      ...(method === 'GET' ? ['HEAD'] : []),
    ]);
  }
  return methods;
}
