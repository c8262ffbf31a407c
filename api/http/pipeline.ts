import etag from '@koa/etag';
import Router from '@koa/router';
import type Koa from 'koa';
import conditional from 'koa-conditional-get';
import { authenticate } from '../auth/authenticate.ts';
import { letStrangersInTurn, senderOf } from '../auth/strangers.ts';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { readBody } from './body.ts';
import { parseParameters, parserFor } from './parse.ts';
import { type AuthenticatedCaller, BASE_PATH, type Route } from './route.ts';
import { repeatedMessage, validate, validateParams } from './validate.ts';

/** Paths match exactly: case and trailing slash count. */
export function mountRoutes(app: AppContext, routes: readonly Route[]): Router {
  const letIn = letStrangersInTurn(app);
  const letAllIn = letStrangersInTurn(app, { alsoKnown: true });
  const router = new Router({ prefix: BASE_PATH, sensitive: true, strict: true });
  for (const route of fixedPathsFirst(routes)) {
    const validators = validatorsOf(route);
    const takeTurn = route.auth === 'none' ? letAllIn : letIn;
    const steps = [...validators, receiveBody(app, route), takeTurn, endpoint(app, route)];
    router.register(toKoaPath(route.path), [route.method], steps);
  }
  for (const [path, allowed] of Map.groupBy(fixedPathsFirst(routes), (route) => route.path)) {
    const methods = allowed.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method));
    router.all(toKoaPath(path), letIn, () => {
      throw new ApiError('METHOD_NOT_ALLOWED', 'Method not allowed for this path.', {
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

/** Reads the body before the turn, since it may arrive slowly. */
function receiveBody(app: AppContext, route: Route): Koa.Middleware {
  return async (http, next) => {
    if (route.body) {
      const { sender, isKnown } = senderOf(app, http);
      const room = isKnown ? app.bodyRooms.known : app.bodyRooms.strangers;
      http.state.sentBody = await readBody(http.res, room, sender);
    }
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

const toKoaPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** The documented order of errors: size, media type, bearer, quota, turn, query, syntax, schema, own rules. */
async function runRoute(app: AppContext, route: Route, http: Koa.Context, params: unknown) {
  const now = app.now();
  const sent = http.state.sentBody;
  const parse = sent && parserFor(route, http.request, sent);
  const caller = route.auth === 'none' ? anonymous : await authenticate(app, http, now);
  const run = async (release: () => void) => {
    const id = route.params ? validateParams(route.params, params) : {};
    const sentQuery = parseParameters(http.querystring);
    const query = validate(route.query, sentQuery, repeatedMessage);
    http.state.bodyText = sent?.text() ?? '';
    const body = route.body && parse && validate(route.body, parse(http.state.bodyText));
    return route.handle({ params: id, query, body, caller, app, http, now, release });
  };
  if (route.auth === 'none') return run(() => undefined);
  return app.limitRequests({ clientId: caller.id, isGone: () => http.req.socket.destroyed }, run);
}

const anonymous: AuthenticatedCaller = { id: '', name: '', scopes: new Set(), referenceVersion: 0 };
