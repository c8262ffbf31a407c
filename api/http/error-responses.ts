import { randomUUID } from 'node:crypto';
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { SearchesBusyError } from '../../store/catalogue/search.ts';
import { errorCode, isConnectionError, knownCause, toLogError } from '../../platform/errors.ts';
import { ApiError, type ErrorCode, oauthFields, tooBusy } from '../errors.ts';
import { BASE_PATH, TOKEN_PATH } from './route.ts';
import { readPath } from './protocol-rules.ts';
import { recordProtocolError, requestFields } from './request-log.ts';

const RETRY_AFTER_SECONDS = '5';

/** The cause of an unexpected error stays in the log. */
export function handleErrors(log: Logger): Koa.Middleware {
  return async (http, next) => {
    try {
      await next();
    } catch (error) {
      const expected = error instanceof ApiError ? error : toApiError(error, http, log);
      http.status = expected.statusCode;
      if (expected.extras.headers) http.set(expected.extras.headers);
      const path = readPath(http) ?? '';
      http.body = errorEnvelope(expected, path, http.state.requestId);
    }
  };
}

function errorEnvelope(error: ApiError, path: string, requestId: string) {
  const { statusCode, code, message, extras } = error;
  return {
    statusCode,
    code,
    message,
    errors: extras.errors,
    details: extras.details,
    path,
    timestamp: new Date().toISOString(),
    requestId,
    ...(path === `${BASE_PATH}${TOKEN_PATH}` && oauthFields(error)),
  };
}

function toApiError(error: unknown, http: Koa.Context, log: Logger): ApiError {
  if (error instanceof SearchesBusyError) return tooBusy(error.message, RETRY_AFTER_SECONDS);
  const fields = requestFields(http);
  if (isConnectionError(error)) {
    const reason = knownCause(error);
    log.error({ ...fields, code: errorCode(error), reason }, 'the database cannot serve');
    return new ApiError('SERVICE_UNAVAILABLE', 'The service is not available for the moment.', {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }
  log.error({ ...fields, error: toLogError(error) }, 'request failed');
  return new ApiError('INTERNAL_ERROR', PROTOCOL_MESSAGES.INTERNAL_ERROR);
}

export function handleUncaught(log: Logger) {
  return function (this: Koa.Context, error: unknown): void {
    // Koa also calls it without an error, when a response has ended.
    if (error === null || error === undefined || this.headerSent || !this.writable) return;
    writeProtocolError(this.res, 'INTERNAL_ERROR', { log, cause: toLogError(error) });
  };
}

const PROTOCOL_MESSAGES = {
  BAD_REQUEST: 'The request is not valid HTTP.',
  NOT_FOUND: 'This path was not found.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  HEADERS_TOO_LARGE: 'The headers are too large.',
  INTERNAL_ERROR: 'Something went wrong on our side.',
} as const satisfies Partial<Record<ErrorCode, string>>;

type ProtocolErrorCode = keyof typeof PROTOCOL_MESSAGES;

const PARSER_ERRORS: Readonly<Record<string, ProtocolErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

export function protocolErrorCode(nodeCode: string | undefined): ProtocolErrorCode {
  return PARSER_ERRORS[nodeCode ?? ''] ?? 'BAD_REQUEST';
}

export function writeProtocolError(
  target: Socket | ServerResponse,
  code: ProtocolErrorCode,
  { log, cause }: { log: Logger; cause?: unknown },
): void {
  const isResponse = target instanceof ServerResponse;
  const error = new ApiError(code, PROTOCOL_MESSAGES[code]);
  const known = isResponse ? target.getHeader('X-Request-Id') : undefined;
  const requestId = String(known ?? randomUUID());
  recordProtocolError(log, { requestId, status: error.statusCode, cause });
  const body = JSON.stringify(errorEnvelope(error, '', requestId));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  if (isResponse) return void target.writeHead(error.statusCode, headers).end(body);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const statusLine = `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}\r\n`;
  target.end(`${statusLine}${lines.join('')}\r\n${body}`);
  // A connection that the caller leaves half open would stay in the count.
  target.destroySoon();
}
