import type Koa from 'koa';
import type { z } from 'zod';
import { formatPath, plainMessage } from '../../domain/validation-issues.ts';
import { authenticate } from '../auth/authenticate.ts';
import { recognise } from '../auth/strangers.ts';
import type { TraceContext } from '../../platform/trace-context.ts';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import type { RequestBody } from './body.ts';
import { callerNetwork } from './caller-address.ts';
import { parseParameters, parserFor } from './parse.ts';
import { noQuery, type AuthenticatedCaller, type Route } from './route.ts';

/**
 * Every check of a request in its documented order: body size, media type, bearer, quota, the client's turn,
 * query, body syntax, body schema, and then the route's own rules. The router has matched path and method
 * before.
 */
export async function runRoute(
  app: AppContext,
  route: Route,
  http: Koa.Context,
  params: unknown,
): Promise<unknown> {
  const now = app.now();
  const sent = http.state.sentBody as RequestBody | undefined;
  const parse = sent && parserFor(route, http.request, sent);
  const authenticated = route.auth === 'none' ? null : await authenticate(app, http, now);
  const run = async (release: () => void) => {
    const id = route.params ? readParams(route.params, params) : {};
    const query = validate(
      route.query ?? noQuery,
      parseParameters(http.querystring),
      repeatedMessage,
    );
    const bodyText = sent?.text() ?? '';
    const body = route.body && parse ? validate(route.body, parse(bodyText)) : undefined;
    return route.handle({
      params: id,
      query,
      body,
      bodyText,
      caller: authenticated?.caller ?? anonymous,
      reference: () => app.reference.atLeast(authenticated?.referenceVersion ?? 0),
      app,
      setHeaders: (headers) => http.set(headers),
      acceptsEncoding: (encoding) => http.acceptsEncodings(encoding, 'identity'),
      release,
      recognise: (token) => recognise(app, http, token),
      authorization: http.req.headersDistinct.authorization ?? [],
      requestId: http.state.requestId as string,
      trace: http.state.trace as TraceContext | null,
      network: callerNetwork(http.req, app.config.trustedProxies),
      now,
    });
  };
  if (!authenticated) return run(() => undefined);
  const turn = { clientId: authenticated.caller.id, isGone: () => http.req.socket.destroyed };
  return app.limitRequests(turn, run);
}

const anonymous: AuthenticatedCaller = { id: '', name: '', scopes: new Set() };

function readParams(schema: z.ZodType, params: unknown): unknown {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ApiError('BAD_REQUEST', 'The id in the path must be a uuid.');
}

/** Throws 422 with one text per issue, each beginning with its path. */
function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  error: z.core.$ZodErrorMap = plainMessage,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error });
  if (parsed.success) return parsed.data;
  const errors = new Set(parsed.error.issues.flatMap(issueMessages));
  throw new ApiError('VALIDATION_ERROR', 'Validation failed', { errors: [...errors] });
}

/** A query parameter that is repeated was parsed into a list. */
const repeatedMessage: z.core.$ZodErrorMap = (issue) =>
  Array.isArray(issue.input) ? 'is given more than once' : plainMessage(issue);

function issueMessages(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [`${formatPath(issue.path)}: ${issue.message}`];
  return issue.keys.map((key) => `${formatPath([...issue.path, key])}: is not known`);
}
