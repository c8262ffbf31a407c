import Koa from 'koa';
import helmet from 'koa-helmet';
import type { AppContext } from './context.ts';
import { ApiError } from './errors.ts';
import { letStrangersInTurn } from './auth/strangers.ts';
import { handleErrors, handleUncaught } from './http/error-responses.ts';
import { mountRoutes } from './http/pipeline.ts';
import { refuseMalformed } from './http/protocol-rules.ts';
import { BASE_PATH } from './http/route.ts';
import { logRequests } from './http/request-log.ts';
import { documentRoutes } from './routes/openapi.ts';
import { routes } from './routes/index.ts';

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
    .use(({ path }) => {
      throw new ApiError('NOT_FOUND', `This path was not found.${pathHint(path)}`);
    });
  return app;
}

function pathHint(path: string): string {
  if (!path.startsWith(`${BASE_PATH}/`))
    return ` Every path begins with ${BASE_PATH}/; the reference is at ${BASE_PATH}/docs.`;
  if (path.startsWith(`${BASE_PATH}${BASE_PATH}/`)) return ` It has ${BASE_PATH} twice.`;
  return path.endsWith('/') ? ' No path ends with a slash.' : '';
}

/** A browser may load nothing from a response. The pages of /docs set their own policy. */
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
});

const noStore: Koa.Middleware = async (http, next) => {
  http.set('Cache-Control', 'no-store');
  await next();
};
