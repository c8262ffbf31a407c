import type Koa from 'koa';
import type { Logger } from 'pino';
import { toLogError, errorCode } from '../../platform/log-error.ts';
import { isConnectionFault } from '../../store/db/connection-error.ts';
import { ApiError } from '../errors.ts';

const RETRY_AFTER_SECONDS = '5';

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

function writeError(http: Koa.Context, error: ApiError): void {
  http.status = error.statusCode;
  if (error.extras.headers) http.set(error.extras.headers);
  http.body = envelopeOf(error, http.path);
}

export function envelopeOf(error: ApiError, path: string): object {
  return {
    statusCode: error.statusCode,
    code: error.code,
    message: error.message,
    ...(error.extras.errors ? { errors: error.extras.errors } : {}),
    ...(error.extras.details ? { details: error.extras.details } : {}),
    path,
    timestamp: new Date().toISOString(),
  };
}

function unexpected(error: unknown, http: Koa.Context, log: Logger): ApiError {
  const requestId = http.state.requestId as string;
  if (isConnectionFault(error)) {
    log.error({ requestId, code: errorCode(error) }, 'the database cannot be reached');
    return new ApiError('SERVICE_UNAVAILABLE', 'The service is not available for the moment.', {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }
  log.error({ requestId, error: toLogError(error) }, 'request failed');
  return new ApiError('INTERNAL_ERROR', 'Something went wrong on our side.');
}
