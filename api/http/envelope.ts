import type Koa from 'koa';
import type { Logger } from 'pino';
import { ApiError } from '../errors.ts';

const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
]);

/** One middleware writes every error of every kind in the envelope; nothing of a cause gets out. */
export function errorEnvelope(log: Logger): Koa.Middleware {
  return async (http, next) => {
    try {
      await next();
    } catch (error) {
      const known = error instanceof ApiError ? error : unexpected(error, http, log);
      writeError(http, known);
    }
  };
}

export function writeError(http: Koa.Context, error: ApiError): void {
  http.status = error.statusCode;
  if (error.extras.headers) http.set(error.extras.headers);
  http.body = {
    statusCode: error.statusCode,
    code: error.code,
    message: error.message,
    ...(error.extras.errors ? { errors: error.extras.errors } : {}),
    ...(error.extras.details ? { details: error.extras.details } : {}),
    path: http.path,
    timestamp: new Date().toISOString(),
  };
}

function unexpected(error: unknown, http: Koa.Context, log: Logger): ApiError {
  const requestId = http.state.requestId as string;
  if (isConnectionError(error)) {
    log.error({ requestId, code: codeOf(error) }, 'the database cannot be reached');
    return new ApiError('SERVICE_UNAVAILABLE', 'The service is not available for the moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
  log.error({ requestId, error: describe(error) }, 'request failed');
  return new ApiError('INTERNAL_ERROR', 'Something went wrong on our side.');
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? '');
}

export function isConnectionError(error: unknown): boolean {
  const message = error instanceof Error ? error.message : '';
  return (
    CONNECTION_ERRORS.has(codeOf(error)) ||
    /connection (terminated|timeout)|timeout exceeded when trying to connect|cannot use a pool/i.test(
      message,
    )
  );
}

/** A database's message may quote the row at fault, so only its code and the place get out. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { kind: typeof error };
  const isFromDatabase = 'severity' in error;
  const stack = error.stack
    ?.split('\n')
    .slice(isFromDatabase ? 1 : 0, 12)
    .join('\n');
  return { name: error.name, code: codeOf(error), stack };
}
