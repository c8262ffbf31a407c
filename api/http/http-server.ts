import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { protocolErrorCode, writeProtocolError } from './error-responses.ts';

const OPTIONS = {
  // Both are enforced by a check that runs every `connectionsCheckingInterval`.
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2000,
  // Longer than a load balancer keeps an idle connection, so that the balancer closes it first.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16_384,
  // Checked by `requireHost` in app.ts, whose error has the envelope.
  requireHostHeader: false,
};
const MAX_CONNECTIONS = 10_000;
/** A connection is closed when its response stays unread for one to two times this. */
const UNREAD_RESPONSE_MS = 60_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server on which even the protocol errors of Node itself have the envelope. */
export function createHttpServer(handle: Handler, unreadMs = UNREAD_RESPONSE_MS): Server {
  const server = createServer(OPTIONS, (request, response) => void handle(request, response));
  server.maxConnections = MAX_CONNECTIONS;
  const responses = new WeakMap<Socket, ServerResponse>();
  server.prependListener('request', (request, response) => {
    responses.set(request.socket, response);
  });
  // A response that is still being prepared has no limit.
  server.setTimeout(unreadMs, (socket) => {
    if (responses.get(socket)?.headersSent !== false) socket.destroy();
  });
  // An unknown expectation is ignored, as a recipient may (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => writeProtocolError(socket, 'NOT_FOUND'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isResponding = isPartlySent(responses.get(socket as Socket));
    if (isResponding || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else writeProtocolError(socket, protocolErrorCode(error.code));
  });
  return server;
}

function isPartlySent(response: ServerResponse | undefined): boolean {
  return response !== undefined && response.headersSent && !response.writableFinished;
}
