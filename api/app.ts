import etag from '@koa/etag';
import Koa from 'koa';
import conditional from 'koa-conditional-get';
import helmet from 'koa-helmet';
import type { AppContext } from './context.ts';
import { notFound } from './errors.ts';
import { errorEnvelope } from './http/envelope.ts';
import { mountRoutes } from './http/mount.ts';
import { requestLog } from './http/request-log.ts';
import { routes } from './routes/index.ts';

/** The public interface, in the order in which a request passes through it. */
export function createApp(context: AppContext): Koa {
  const app = new Koa();
  app.silent = true;
  const router = mountRoutes(context, routes);
  app
    .use(requestLog(context.log))
    .use(helmet({ contentSecurityPolicy: false, crossOriginResourcePolicy: false }))
    .use(noStore)
    .use(errorEnvelope(context.log))
    .use(conditional())
    .use(etag())
    .use(router.routes())
    .use(() => {
      throw notFound('This path');
    });
  return app;
}

/** Until a route says otherwise, errors included. */
const noStore: Koa.Middleware = async (http, next) => {
  http.set('Cache-Control', 'no-store');
  await next();
};
