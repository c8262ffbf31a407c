import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { envelopeOf } from './envelope.ts';

const MESSAGES = {
  BAD_REQUEST: 'The request is not valid HTTP.',
  NOT_FOUND: 'This path was not found.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  HEADERS_TOO_LARGE: 'The headers are too large.',
} as const satisfies Partial<Record<ErrorCode, string>>;

type RawErrorCode = keyof typeof MESSAGES;

/** What Node's parser found, as a code of ours. */
export function rawErrorCode(nodeCode: string | undefined): RawErrorCode {
  switch (nodeCode) {
    case 'HPE_HEADER_OVERFLOW':
      return 'HEADERS_TOO_LARGE';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'PAYLOAD_TOO_LARGE';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'REQUEST_TIMEOUT';
    default:
      return 'BAD_REQUEST';
  }
}

/** The answer to what never became a request, written by hand; the connection ends with it. */
export function writeRawError(socket: Duplex, code: RawErrorCode): void {
  const error = new ApiError(code, MESSAGES[code]);
  const body = JSON.stringify(envelopeOf(error, ''));
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
