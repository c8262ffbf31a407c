import type { ErrorCode } from '../errors.ts';

/** What any reference read can answer besides success. */
export const readErrors: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'OAUTH_TOKEN_EXPIRED',
  'VALIDATION_ERROR',
  'RATE_LIMITED',
];

export const recordErrors: readonly ErrorCode[] = ['BAD_REQUEST', 'NOT_FOUND', ...readErrors];
