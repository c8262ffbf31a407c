import { z } from 'zod';
import { ApiError, errorCodes, statusOf, type ErrorCode } from '../errors.ts';
import { errorEnvelope } from '../http/error-responses.ts';
import type { Route } from '../http/route.ts';

/** The envelope of every error (Errors). */
export const errorSchema = z
  .object({
    statusCode: z.int(),
    code: z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]).meta({
      description: 'Stable; branch on this, not on the message.',
    }),
    message: z.string(),
    errors: z.array(z.string()).optional().meta({
      description: 'On 422 only: one text per failing field, each beginning with its path.',
    }),
    details: z.record(z.string(), z.unknown()).optional(),
    path: z.string(),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'Error' });

export const meanings: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request cannot be read, or breaks a rule of the endpoint.',
  DNCR_TOO_MANY_NUMBERS: 'More than 20 numbers; nothing was checked.',
  UNAUTHORIZED: 'The credentials or the token are missing, unknown, revoked or switched off.',
  OAUTH_TOKEN_EXPIRED: 'The token has expired: fetch another and try once more.',
  NOT_FOUND: 'There is no such record, or it is not for this client to see.',
  METHOD_NOT_ALLOWED: 'The path does not take this method; `Allow` names those that it takes.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 256 KiB.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON in UTF-8, or packed in an unknown encoding.',
  VALIDATION_ERROR: 'A field or parameter is not valid: never send it again unchanged.',
  RATE_LIMITED: 'Too many requests: wait for `Retry-After` seconds.',
  HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB.',
  INTERNAL_ERROR: 'A fault on our side; retry with backoff.',
  DNCR_UPSTREAM_ERROR: 'The registry could not be reached; nothing was checked.',
  DNCR_NOT_CONFIGURED: 'Checks are not enabled on this environment.',
  SERVICE_UNAVAILABLE: 'Not available for the moment: wait for `Retry-After` seconds.',
};

/** The route's own errors and those of the pipeline, by status. */
export function errorsOf(route: Route): Map<number, ErrorCode[]> {
  const codes: ErrorCode[] = ['VALIDATION_ERROR', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  if (route.errors) codes.push(...route.errors);
  if (route.body) codes.push('BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (route.params) codes.push('BAD_REQUEST', 'NOT_FOUND');
  if (route.auth !== 'none') codes.push('UNAUTHORIZED', 'OAUTH_TOKEN_EXPIRED', 'RATE_LIMITED');
  return Map.groupBy(
    errorCodes.filter((code) => codes.includes(code)),
    statusOf,
  );
}

const EXAMPLE_ERRORS = ['leadPhones[0]: must have at most 64 characters'];

export function errorExample(code: ErrorCode, path: string): object {
  const isInvalid = code === 'VALIDATION_ERROR';
  const message = isInvalid ? 'Validation failed' : meanings[code];
  const extras = {
    ...(isInvalid ? { errors: EXAMPLE_ERRORS } : {}),
    ...(code === 'DNCR_TOO_MANY_NUMBERS' ? { details: { max: 20, received: 21 } } : {}),
  };
  const envelope = errorEnvelope(new ApiError(code, message, extras), path);
  return { ...envelope, timestamp: '2026-09-20T08:15:30.000Z' };
}
