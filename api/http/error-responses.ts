import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { errorCode, toLogError, isConnectionError } from '../../platform/errors.ts';
import { ApiError, type ErrorCode } from '../errors.ts';

const RETRY_AFTER_SECONDS = '5';

/** Writes every error of a request in the envelope; an unexpected error's cause stays in the log. */
export function handleErrors(log: Logger): Koa.Middleware {
  return async (http, next) => {
    try {
      await next();
    } catch (error) {
      const expected = error instanceof ApiError ? error : toApiError(error, http, log);
      http.status = expected.statusCode;
      if (expected.extras.headers) http.set(expected.extras.headers);
      http.body = errorEnvelope(expected, http.path);
    }
  };
}

export function errorEnvelope({ statusCode, code, message, extras }: ApiError, path: string) {
  return {
    statusCode,
    code,
    message,
    errors: extras.errors,
    details: extras.details,
    path,
    timestamp: new Date().toISOString(),
  };
}

function toApiError(error: unknown, http: Koa.Context, log: Logger): ApiError {
  const requestId = http.state.requestId as string;
  if (isConnectionError(error)) {
    log.error({ requestId, code: errorCode(error) }, 'the database cannot be reached');
    return new ApiError('SERVICE_UNAVAILABLE', 'The service is not available for the moment.', {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }
  log.error({ requestId, error: toLogError(error) }, 'request failed');
  return new ApiError('INTERNAL_ERROR', 'Something went wrong on our side.');
}

const PROTOCOL_MESSAGES = {
  BAD_REQUEST: 'The request is not valid HTTP.',
  NOT_FOUND: 'This path was not found.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  HEADERS_TOO_LARGE: 'The headers are too large.',
} as const satisfies Partial<Record<ErrorCode, string>>;

type ProtocolErrorCode = keyof typeof PROTOCOL_MESSAGES;

/** By the code of Node's HTTP parser. */
const PARSER_ERRORS: Readonly<Record<string, ProtocolErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};

export function protocolErrorCode(nodeCode: string | undefined): ProtocolErrorCode {
  return PARSER_ERRORS[nodeCode ?? ''] ?? 'BAD_REQUEST';
}

/** Writes the response to bytes that are no request straight to the socket, and closes it. */
export function writeProtocolError(socket: Duplex, code: ProtocolErrorCode): void {
  const error = new ApiError(code, PROTOCOL_MESSAGES[code]);
  const body = JSON.stringify(errorEnvelope(error, ''));
  const head = [
    `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
