import { z } from 'zod';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import type { TraceContext } from '../../platform/trace-context.ts';
import type { Reader } from '../../store/assignment/read-assignment.ts';
import type { AppContext } from '../context.ts';
import type { ErrorCode } from '../errors.ts';

export const TOKEN_PATH = '/oauth2/token';

/** Versioning */
export const BASE_PATH = '/v2';

export interface AuthenticatedCaller extends Reader {
  name: string;
}

export interface RouteRequest<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  bodyText: string;
  /** Its id is empty on routes with `auth: 'none'`. */
  caller: AuthenticatedCaller;
  /** As fresh as the token check saw the lists. */
  reference: () => Promise<Reference>;
  app: AppContext;
  setHeaders: (headers: Record<string, string>) => void;
  acceptsEncoding: (encoding: string) => string | false;
  /** Lets the next request of the client run, before a wait that is shared fairly elsewhere. */
  release: () => void;
  recognise: (known: { tokenHash: Buffer; clientId: string }) => void;
  /** As sent. The token endpoint reads the client's secret from it. */
  authorization: readonly string[];
  requestId: string;
  trace: TraceContext | null;
  /** An IPv6 address counts by its /64. */
  network: string;
  now: Date;
  isGone: () => boolean;
  /** On the clock of `performance.now()`. */
  startedMs: number;
}

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
  /** A bearer token by default. */
  auth?: 'none';
  params?: P;
  /** Without one, any query parameter is 422. */
  query?: Q;
  body?: B;
  alsoAccepts?: readonly 'application/x-www-form-urlencoded'[];
  bodyExample?: unknown;
  response: { status?: 201; description: string; schema: z.ZodType };
  /** In addition to those of the pipeline and of an id in the path (openapi/responses.ts). */
  errors?: readonly ErrorCode[];
  /** The response has an ETag, and the caller may cache it for a day. */
  cacheable?: boolean;
  namesUnknownFields?: true;
  /** `handle` sets an ETag and the headers of caching itself. */
  hasOwnValidator?: boolean;
  handle(request: RouteRequest<z.output<P>, z.output<Q>, z.output<B>>): Promise<unknown>;
}

/** Erases the types of `handle`'s request, so that routes of any schemas form one list. */
export function defineRoute<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  route: Route<P, Q, B>,
): Route {
  return route as unknown as Route;
}

/** The document lists the schema by this name. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

export const noQuery = z.strictObject({});
/** Workflow ids and log lines compare ids as strings. */
export const uuidParam = z.object({ id: z.guid().toLowerCase().describe('Id of the record.') });
