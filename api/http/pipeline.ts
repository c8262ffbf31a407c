import { z } from 'zod';
import type Koa from 'koa';
import { ApiError } from '../errors.ts';
import type { AppContext } from '../context.ts';
import { guardRequest } from '../guard/guard-request.ts';
import { decodeText, parseForm, parseObject, readBytes } from './body.ts';
import type { Answer, AuthenticatedCaller, Route } from './route.ts';
import { validate } from './validate.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Every check of a request in its documented order: body size, media type, bearer, quota, query, body
 * syntax, body schema, and then the route's own rules. Path and method were matched before.
 */
export async function runRoute(
  app: AppContext,
  route: Route,
  http: Koa.Context,
  params: unknown,
): Promise<Answer> {
  const now = app.now();
  const bytes = route.body ? await readBytes(http.req) : null;
  const media = route.body ? mediaType(route, http) : null;
  const guarded = route.auth === 'bearer' ? await guardRequest(app, http, now) : null;
  const id = route.params ? readParams(route.params, params) : {};
  const query = validate(route.query, queryOf(http));
  const bodyText = bytes ? decodeText(bytes) : '';
  const body = route.body ? validate(route.body, parseBody(bodyText, media)) : undefined;
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

function mediaType(route: Route, http: Koa.Context): string {
  const sent = http.request.type.toLowerCase();
  if (sent === 'application/json' || (sent === FORM && route.alsoAccepts?.includes(FORM)))
    return sent;
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.');
}

function parseBody(text: string, media: string | null): unknown {
  return media === FORM ? parseForm(text) : parseObject(text);
}

function readParams(schema: z.ZodType, params: unknown): unknown {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ApiError('BAD_REQUEST', 'The id in the path must be a uuid.');
}

/** A repeated parameter stays a list, which no single-valued schema takes. */
function queryOf(http: Koa.Context): Record<string, unknown> {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(http.querystring)) {
    const earlier = query[name];
    query[name] = earlier === undefined ? value : [...[earlier].flat(), value];
  }
  return query;
}

/** For endpoints that take no query parameter: any is refused with 422. */
export const noQuery = z.strictObject({});
export const uuidParam = z.object({ id: z.uuid() });
