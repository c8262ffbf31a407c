import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { BASE_PATH } from '../http/route.ts';
import type { ErrorCode } from '../errors.ts';
import type { Route, ResponseSpec } from '../http/route.ts';
import { errorExample, errorSchema, errorsOf, meanings } from './errors.ts';
import { headersOf } from './headers.ts';

/** Every answer of a route, by status: its own, and the errors by the envelope. */
export function responsesOf(route: Route): ZodOpenApiResponsesObject {
  const own = Object.entries(route.responses).map(([status, answer]) => [
    status,
    success(route, answer),
  ]);
  const errors = [...errorsOf(route)].map(([status, codes]) => [
    String(status),
    failure(route, status, codes),
  ]);
  const unchanged = route.cacheable
    ? [['304', { description: 'Not changed since that ETag', headers: headersOf(route, 304) }]]
    : [];
  return Object.fromEntries([...own, ...unchanged, ...errors]);
}

function success(route: Route, answer: ResponseSpec): ZodOpenApiResponseObject {
  const { description, schema, example } = answer;
  return {
    description,
    headers: headersOf(route, 200),
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  };
}

function failure(
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
