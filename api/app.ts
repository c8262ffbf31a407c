import Koa from 'koa';
import helmet from 'koa-helmet';
import type { AppContext } from './context.ts';
import { notFound } from './errors.ts';
import { letStrangersInTurn } from './auth/strangers.ts';
import { handleErrors, handleUncaught } from './http/error-responses.ts';
import { mountRoutes } from './http/mount.ts';
import { refuseMalformed } from './http/protocol-rules.ts';
import { logRequests } from './http/request-log.ts';
import { documentRoutes } from './routes/openapi.ts';
import { routes } from './routes/index.ts';

/** The public interface: the middleware in the order in which a request passes it. */
export function createApp(context: AppContext): Koa {
  const app = new Koa();
  app.context.onerror = handleUncaught(context.log);
  const router = mountRoutes(context, [...routes, ...documentRoutes(routes)]);
  app
    .use(logRequests(context.log))
    .use(securityHeaders)
    .use(noStore)
    .use(handleErrors(context.log))
    .use(refuseMalformed)
    .use(router.routes())
    .use(letStrangersInTurn(context))
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
