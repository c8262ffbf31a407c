import type Koa from 'koa';
import { z } from 'zod';
import type { Reader } from '../../store/assignment/read-assignment.ts';
import type { AppContext } from '../context.ts';
import type { ErrorCode } from '../errors.ts';

export const TOKEN_PATH = '/oauth2/token';

/** Versioning */
export const BASE_PATH = '/v2';

export interface AuthenticatedCaller extends Reader {
  name: string;
  /** Version of the CRM's lists when the token was checked. */
  referenceVersion: number;
}

export interface RouteRequest<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** Its id is empty on routes with `auth: 'none'`. */
  caller: AuthenticatedCaller;
  app: AppContext;
  http: Koa.Context;
  now: Date;
  /** Lets the next request of the client run, before a wait that is shared fairly elsewhere. */
  release: () => void;
}

/** Only `defineQuery` makes one. */
type QuerySchema = z.ZodObject & z.core.$ZodBranded<z.ZodObject, 'query'>;

export interface Route<
  P extends z.ZodType = z.ZodType,
  Q extends QuerySchema = QuerySchema,
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
  query: Q;
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
export function defineRoute<P extends z.ZodType, Q extends QuerySchema, B extends z.ZodType>(
  route: Route<P, Q, B>,
): Route {
  return route as unknown as Route;
}

/** The document lists the schema by this name. */
export function namedObject<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id });
}

type Aliases = readonly (readonly string[])[];

/** Unknown parameters are refused, and so are aliases with different values, whatever else is wrong in the query. */
export function defineQuery<Shape extends z.ZodRawShape>(shape: Shape, aliases: Aliases = []) {
  const check = (sent: Record<string, unknown>, context: z.RefinementCtx) => {
    for (const names of aliases) {
      const given = names.filter((name) => sent[name] !== undefined);
      if (new Set(given.map((name) => JSON.stringify(sent[name]))).size < 2) continue;
      const message = `contradicts ${given[0]}`;
      context.addIssue({ code: 'custom', path: given.slice(-1), message });
    }
  };
  return z
    .strictObject(shape)
    .superRefine(check, { when: () => true })
    .brand<'query'>();
}

export const noQuery = defineQuery({});
/** Workflow ids and log lines compare ids as strings. */
export const uuidParam = z.object({ id: z.guid().toLowerCase().describe('Id of the record.') });
