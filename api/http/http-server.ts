import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
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
    const response = responses.get(socket as Socket);
    const isPartlySent = response?.headersSent && !response.writableFinished;
    if (isPartlySent || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else writeProtocolError(socket, protocolErrorCode(error.code));
  });
  return server;
}

const IDLE_MS = 500;
const LIMIT_MS = 20_000;
const POLL_MS = 50;

export function createServerShutdown(server: Server) {
  const inProgress = new Set<ServerResponse>();
  let isStopping = false;
  server.prependListener('request', (_request, response) => {
    if (isStopping) response.setHeader('Connection', 'close');
    inProgress.add(response);
    response.once('close', () => inProgress.delete(response));
  });

  /**
   * Closes the server without losing a request: for `acceptMs` it still accepts requests, each answered
   * with `Connection: close`; then it accepts none and waits for those in progress.
   */
  async function close(acceptMs: number): Promise<void> {
    isStopping = true;
    for (const response of inProgress) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    await sleep(acceptMs);
    const closed = new Promise((resolve) => server.close(resolve));
    await waitUntilIdle(() => inProgress.size > 0);
    server.closeAllConnections();
    await closed;
  }

  return { isStopping: () => isStopping, close };
}

/** Idle for IDLE_MS, since an open connection may be about to send a request. */
async function waitUntilIdle(isBusy: () => boolean): Promise<void> {
  const started = Date.now();
  let lastBusy = started;
  while (Date.now() - lastBusy < IDLE_MS && Date.now() - started < LIMIT_MS) {
    await sleep(POLL_MS);
    if (isBusy()) lastBusy = Date.now();
  }
}
