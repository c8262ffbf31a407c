import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ErrorCode, errorTable, oauthErrors } from '../errors.ts';
import { namedObject, type Route, TOKEN_PATH } from '../http/route.ts';

const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

const errorSchema = namedObject('ErrorEnvelope', {
  statusCode: z.int().describe('The HTTP status.'),
  code: z.string().meta({
    description: `Stable; branch on this, not on the message. Codes: ${errorCodes.join(', ')}. Others may be added.`,
  }),
  message: z.string().describe('Explanation for people; it may change.'),
  errors: z.array(z.string()).optional().meta({
    description: 'On 422 only: one text per failing field, each beginning with its path.',
  }),
  details: z.record(z.string(), z.unknown()).optional().describe('Further facts of some codes.'),
  path: z.string().describe('Path of the request; empty if it could not be read.'),
  timestamp: z.iso.datetime().describe('Time of the error.'),
  requestId: z.string().describe('As in `X-Request-Id`.'),
});

const tokenErrorSchema = errorSchema
  .extend({
    error: z.enum(oauthErrors).describe('By RFC 6749.'),
    error_description: z.string().describe('Explanation for people.'),
  })
  .meta({ id: 'TokenError' });

export function responsesOf(route: Route): ZodOpenApiResponsesObject {
  const { status = 200, description, schema } = route.response;
  const responses: ZodOpenApiResponsesObject = {
    [`${status}`]: {
      description,
      headers: headersOf(route, status),
      content: { 'application/json': { schema } },
    },
  };
  if (route.cacheable) {
    const headers = headersOf(route, 304);
    responses['304'] = { description: 'Not changed since that ETag', headers };
  }
  for (const [status, codes] of errorsOf(route))
    responses[`${status as 400}`] = errorResponse(route, status, codes);
  return responses;
}

const EVERYWHERE: readonly ErrorCode[] = [
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'VALIDATION_ERROR',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

function errorsOf(route: Route): Map<number, ErrorCode[]> {
  const codes: ErrorCode[] = [...EVERYWHERE];
  if (route.errors) codes.push(...route.errors);
  if (route.body) codes.push('BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (route.params) codes.push('BAD_REQUEST', 'NOT_FOUND');
  if (route.auth !== 'none') codes.push('UNAUTHORIZED', 'OAUTH_TOKEN_EXPIRED', 'RATE_LIMITED');
  const inOrder = errorCodes.filter((code) => codes.includes(code));
  return Map.groupBy(inOrder, (code) => errorTable[code][0]);
}

function errorResponse(route: Route, status: number, codes: readonly ErrorCode[]) {
  const schema =
    route.path === TOKEN_PATH && !codes.some((code) => WITHOUT_PATH.includes(code))
      ? tokenErrorSchema
      : errorSchema;
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code][1]}`).join('\n\n'),
    headers: headersOf(route, status),
    content: { 'application/json': { schema } },
  };
}

/** The path of these requests could not be read. */
const WITHOUT_PATH: readonly ErrorCode[] = ['REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE'];

const textHeader = (description: string) => ({ description, schema: { type: 'string' } as const });
const countHeader = (description: string) => ({
  description,
  schema: { type: 'integer', minimum: 0 } as const,
});

export const headerComponents = {
  'X-Request-Id': textHeader(
    'Names the request in our logs; yours, if you sent one of up to 64 letters, digits, `.`, `_` and `-`.',
  ),
  'X-RateLimit-Limit': countHeader('Requests per UTC day.'),
  'X-RateLimit-Remaining': countHeader('What is left of them today.'),
  'X-RateLimit-Reset': countHeader('Seconds until the counter resets, at the end of the UTC day.'),
  'Retry-After': countHeader('Seconds to wait.'),
  'WWW-Authenticate': textHeader('`Bearer`; `Basic` at the token endpoint.'),
  'Accept-Encoding': textHeader('What is accepted, after another `Content-Encoding`.'),
  'X-Unknown-Fields': textHeader(
    'Fields of the body that look like a known one: `LeadFirstName (leadFirstName?)`, up to ten.',
  ),
  Allow: textHeader('The methods that the path takes.'),
  ETag: textHeader('To be sent back as `If-None-Match`.'),
};

const QUOTA = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

function headersOf(route: Route, status: number): Record<string, { $ref: string }> {
  const names: (keyof typeof headerComponents)[] = ['X-Request-Id'];
  if (isCounted(route, status)) names.push(...QUOTA);
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 405) names.push('Allow');
  if (status === 415) names.push('Accept-Encoding');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (route.namesUnknownFields && status <= 400) names.push('X-Unknown-Fields');
  if (route.cacheable && (status === 200 || status === 304)) names.push('ETag');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Errors that come before the quota. */
const UNCOUNTED = [401, 405, 408, 413, 415, 431];

function isCounted({ auth }: Route, status: number): boolean {
  return auth === 'none' ? [200, 429].includes(status) : !UNCOUNTED.includes(status);
}
