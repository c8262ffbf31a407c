import Koa from 'koa';
import helmet from 'koa-helmet';
import type { AppContext } from './context.ts';
import { ApiError, notFound } from './errors.ts';
import { handleErrors } from './http/error-responses.ts';
import { mountRoutes } from './http/mount.ts';
import { logRequests } from './http/request-log.ts';
import { documentRoutes } from './routes/openapi.ts';
import { routes } from './routes/index.ts';

/** The public interface: the middleware in the order in which a request passes it. */
export function createApp(context: AppContext): Koa {
  const { trustedProxies } = context.config;
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  app.silent = true;
  const router = mountRoutes(context, [...routes, ...documentRoutes(routes)]);
  app
    .use(logRequests(context.log))
    .use(securityHeaders)
    .use(noStore)
    .use(handleErrors(context.log))
    .use(requireHost)
    .use(router.routes())
    .use(() => {
      throw notFound('This path');
    });
  return app;
}

/** A browser may load nothing from a response; the pages of /docs set their own policy. */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/** The default, errors included; cacheable routes override it. */
const noStore: Koa.Middleware = async (http, next) => {
  http.set('Cache-Control', 'no-store');
  await next();
};

/** Node's own response to a request without Host would have no envelope (RFC 9112, 3.2). */
const requireHost: Koa.Middleware = async (http, next) => {
  if (http.req.headers.host === undefined && http.req.httpVersion === '1.1') {
    throw new ApiError('BAD_REQUEST', 'The Host header is missing.');
  }
  await next();
};
