import { z } from 'zod';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import type { TraceContext } from '../../platform/trace-context.ts';
import type { Reader } from '../../store/assignment/read-assignment.ts';
import type { AppContext } from '../context.ts';
import type { ErrorCode } from '../errors.ts';

export const TOKEN_PATH = '/oauth2/token';

/** The version is part of the base address (Versioning). */
export const BASE_PATH = '/v2';

/** The client of a bearer token; `id` is that of its row. */
export interface AuthenticatedCaller extends Reader {
  name: string;
}

export interface RouteRequest<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** The JSON text of the body, for what is stored verbatim. */
  bodyText: string;
  /** The client; its id is empty on routes with `auth: 'none'`. */
  caller: AuthenticatedCaller;
  /** The CRM's lists, as fresh as the token check saw them. */
  reference: () => Promise<Reference>;
  app: AppContext;
  setHeaders: (headers: Record<string, string>) => void;
  acceptsEncoding: (encoding: string) => string | false;
  /** Lets the next request of the client run, before a wait that is shared fairly elsewhere. */
  release: () => void;
  /** Marks the caller as known by this token of a client. */
  recognise: (known: { tokenHash: Buffer; clientId: string }) => void;
  /** Each `Authorization` header as sent. The token endpoint reads the client's secret from it. */
  authorization: readonly string[];
  requestId: string;
  trace: TraceContext | null;
  /** The address that the request came from; an IPv6 address counts by its /64. */
  network: string;
  now: Date;
  isGone: () => boolean;
  /** When the request began, on the clock of `performance.now()`. */
  startedMs: number;
}

/** The same schemas validate the request, describe the response and make the OpenAPI document. */
export interface Route<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below `/v2`, with `{id}` for a path parameter. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  tag: 'Authentication' | 'Leads' | 'Events' | 'DNCR' | 'Reference data' | 'Document';
  /** A bearer token unless said otherwise. */
  auth?: 'none';
  params?: P;
  /** The schema of the query. A route without one refuses any query parameter with 422. */
  query?: Q;
  body?: B;
  alsoAccepts?: readonly 'application/x-www-form-urlencoded'[];
  bodyExample?: unknown;
  /** The response to a request that succeeds; its status is 200 unless said otherwise. */
  response: { status?: 201; description: string; schema: z.ZodType };
  /** The route's own errors, beside those of the pipeline and of an id in the path (openapi/responses.ts). */
  errors?: readonly ErrorCode[];
  /** The response carries an ETag and may be cached by the caller for a day. */
  cacheable?: boolean;
  /** `X-Unknown-Fields` names fields of the body that look like known ones. */
  namesUnknownFields?: true;
  /** `handle` sets an ETag and the headers of caching itself. */
  hasOwnValidator?: boolean;
  handle(request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>>): Promise<unknown>;
}

/** Infers the type of `handle`'s request and erases it, so that routes of any schemas form one list. */
export function defineRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Route<P, Q, B>,
): Route {
  return route as unknown as Route;
}

/** An object that the document lists among its schemas by this name. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

export const noQuery = z.strictObject({});
/** Ids are compared as text from here on: a workflow's id, a log line. */
export const uuidParam = z.object({ id: z.guid().toLowerCase().describe('Id of the record.') });
