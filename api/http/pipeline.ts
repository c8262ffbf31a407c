import { z } from 'zod';
import type Koa from 'koa';
import { ApiError } from '../errors.ts';
import type { AppContext } from '../context.ts';
import { authenticate } from '../auth/authenticate.ts';
import { readBody } from './body.ts';
import { parserFor } from './media-type.ts';
import { parseParameters } from './parameters.ts';
import type { RouteResponse, AuthenticatedCaller, Route } from './route.ts';
import { validate } from './validate.ts';

/**
 * Every check of a request in its documented order: body size, media type, bearer, quota, query, body
 * syntax, body schema, and then the route's own rules. Path and method were matched before.
 */
export async function runRoute(
  app: AppContext,
  route: Route,
  http: Koa.Context,
  params: unknown,
): Promise<RouteResponse> {
  const now = app.now();
  const sent = route.body ? await readBody(http.req) : null;
  const parse = sent && parserFor(route, http.request, sent);
  const guarded = route.auth === 'bearer' ? await authenticate(app, http, now) : null;
  const id = route.params ? readParams(route.params, params) : {};
  const query = validate(route.query, parseParameters(http.querystring));
  const bodyText = sent?.text() ?? '';
  const body = route.body && parse ? validate(route.body, parse(bodyText)) : undefined;
  return route.handle({
    params: id,
    query,
    body,
    bodyText,
    caller: guarded?.caller ?? nobody,
    reference: () => app.reference.atLeast(guarded?.referenceVersion ?? 0),
    app,
    requestId: http.state.requestId as string,
    address: http.ip,
    now,
  });
}

const nobody: AuthenticatedCaller = { id: '', clientId: '', name: '', scopes: new Set() };

function readParams(schema: z.ZodType, params: unknown): unknown {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ApiError('BAD_REQUEST', 'The id in the path must be a uuid.');
}

/** For endpoints that take no query parameter: any is refused with 422. */
export const noQuery = z.strictObject({});
export const uuidParam = z.object({ id: z.guid() });
