import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { BASE_PATH, type Route, type ResponseSpec } from '../http/route.ts';
import type { ErrorCode } from '../errors.ts';
import { errorExample, errorSchema, errorsOf, meanings } from './errors.ts';

/** Every response of a route, by status: its own, and the errors in the envelope. */
export function responsesOf(route: Route): ZodOpenApiResponsesObject {
  const own = Object.entries(route.responses).map(([status, spec]) => [
    status,
    successResponse(route, spec),
  ]);
  const errors = [...errorsOf(route)].map(([status, codes]) => [
    String(status),
    errorResponse(route, status, codes),
  ]);
  const unchanged = route.cacheable
    ? [['304', { description: 'Not changed since that ETag', headers: headersOf(route, 304) }]]
    : [];
  return Object.fromEntries([...own, ...unchanged, ...errors]);
}

function successResponse(
  route: Route,
  { description, schema, example }: ResponseSpec,
): ZodOpenApiResponseObject {
  return {
    description,
    headers: headersOf(route, 200),
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  };
}

function errorResponse(
  route: Route,
  status: number,
  codes: readonly ErrorCode[],
): ZodOpenApiResponseObject {
  const path = `${BASE_PATH}${route.path}`;
  return {
    description: codes.map((code) => `\`${code}\`: ${meanings[code]}`).join('\n\n'),
    headers: headersOf(route, status),
    content: {
      'application/json': {
        schema: errorSchema,
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: errorExample(code, path) }]),
        ),
      },
    },
  };
}

const integer = { type: 'integer', minimum: 0 } as const;

/** Under `components.headers`, each described once. */
export const headerComponents = {
  'X-Request-Id': {
    description: 'Names the request in our logs; echoed when sent as a short token.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Requests per UTC day.', schema: integer },
  'X-RateLimit-Remaining': { description: 'What is left of them today.', schema: integer },
  'X-RateLimit-Reset': {
    description: 'Seconds until the counter resets, at the end of the UTC day.',
    schema: integer,
  },
  'Retry-After': { description: 'Seconds to wait.', schema: integer },
  'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' } },
  ETag: { description: 'To be sent back as `If-None-Match`.', schema: { type: 'string' } },
} as const;

type HeaderName = keyof typeof headerComponents;
type HeaderReferences = Record<string, { $ref: string }>;

const QUOTA = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

function headersOf(route: Route, status: number): HeaderReferences {
  const names: HeaderName[] = ['X-Request-Id'];
  if (isCounted(route, status)) names.push(...QUOTA);
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (route.cacheable && (status === 200 || status === 304)) names.push('ETag');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Token, size and media type come before the quota. */
function isCounted({ auth }: Route, status: number): boolean {
  return auth === 'none' ? [200, 429].includes(status) : ![401, 413, 415].includes(status);
}
