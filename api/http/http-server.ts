import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { rawErrorCode, writeRawError } from './raw-error.ts';

const OPTIONS = {
  // Both are enforced by a check that runs every `connectionsCheckingInterval`.
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2000,
  // Longer than a load balancer keeps an idle connection, so that it is never ours that ends first.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16_384,
  // Checked in require-host.ts, where the answer has the envelope.
  requireHostHeader: false,
};
const MAX_CONNECTIONS = 10_000;
/** After once or twice this without a byte read, an answer is given up, and with it its connection. */
const UNREAD_MS = 60_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server on which even the refusals of Node itself have the envelope. */
export function createHttpServer(handle: Handler, unreadMs = UNREAD_MS): Server {
  const server = createServer(OPTIONS, (request, response) => void handle(request, response));
  server.maxConnections = MAX_CONNECTIONS;
  const answers = new WeakMap<Socket, ServerResponse>();
  server.prependListener('request', (request, response) => {
    answers.set(request.socket, response);
  });
  // An answer still in the making takes the time that it takes.
  server.setTimeout(unreadMs, (socket) => {
    if (answers.get(socket)?.headersSent !== false) socket.destroy();
  });
  // An expectation that we do not know is passed over, as a recipient may (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => writeRawError(socket, 'NOT_FOUND'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isMidAnswer = isUnderWay(answers.get(socket as Socket));
    if (isMidAnswer || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else writeRawError(socket, rawErrorCode(error.code));
  });
  return server;
}

function isUnderWay(answer: ServerResponse | undefined): boolean {
  return answer !== undefined && answer.headersSent && !answer.writableFinished;
}
