import Koa from 'koa';
import helmet from 'koa-helmet';
import type { AppContext } from './context.ts';
import { notFound } from './errors.ts';
import { errorEnvelope } from './http/envelope.ts';
import { mountRoutes } from './http/mount.ts';
import { requestLog } from './http/request-log.ts';
import { requireHost } from './http/require-host.ts';
import { documentRoutes } from './routes/openapi.ts';
import { routes } from './routes/index.ts';

/** The public interface, in the order in which a request passes through it. */
export function createApp(context: AppContext): Koa {
  const { trustedProxies } = context.config;
  const app = new Koa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  app.silent = true;
  const router = mountRoutes(context, [...routes, ...documentRoutes(routes)]);
  app
    .use(requestLog(context.log))
    .use(securityHeaders)
    .use(noStore)
    .use(errorEnvelope(context.log))
    .use(requireHost)
    .use(router.routes())
    .use(() => {
      throw notFound('This path');
    });
  return app;
}

/** Nothing here is a page, so a browser may load nothing from it; the documentation says otherwise. */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
});

/** Until a route says otherwise, errors included. */
const noStore: Koa.Middleware = async (http, next) => {
  http.set('Cache-Control', 'no-store');
  await next();
};
