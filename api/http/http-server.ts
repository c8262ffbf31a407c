import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { afterEarlierResponses, limitConnections } from './connections.ts';
import { protocolErrorCode, writeProtocolError } from './error-responses.ts';

const OPTIONS = {
  // Both are checked every `connectionsCheckingInterval`: the headers arrive within 5 s.
  requestTimeout: 10_000,
  headersTimeout: 4000,
  connectionsCheckingInterval: 500,
  // Longer than that of a load balancer, so that the balancer closes an idle connection first.
  keepAliveTimeout: 75_000,
  maxHeaderSize: 16_384,
  // `refuseMalformed` checks it, since its error has the envelope.
  requireHostHeader: false,
};
/** Closes a connection whose response stays unread for one to two times this. */
const UNREAD_RESPONSE_MS = 60_000;

export interface ServerLimits {
  log: Logger;
  /** Infinity behind a proxy. */
  maxPerAddress: number;
  maxConnections?: number;
}

const MAX_CONNECTIONS = 10_000;

const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Protocol errors of Node have the envelope, too. */
export function createHttpServer(
  handle: Handler,
  { log, maxPerAddress, maxConnections = MAX_CONNECTIONS }: ServerLimits,
): Server {
  const responses = new WeakMap<Socket, ServerResponse>();
  const server = createServer(OPTIONS, (request, response) => {
    if (request.socket.writableEnded) return; // behind a request whose response closes the connection
    afterEarlierResponses(request, () => {
      responses.set(request.socket, response);
      readWhole(request, response);
      void handle(request, response);
    });
  });
  limitConnections(server, { maxPerAddress, maxConnections });

  function refuse(socket: Socket, code: string | undefined): void {
    const response = responses.get(socket);
    if (!socket.writable || code === 'ECONNRESET') socket.destroy();
    else if (socket.bytesRead === 0) closeUnlessRead(socket);
    else if (isPending(response) && (response.headersSent || response.req.complete))
      closeAfter(response, socket);
    else {
      const target = isPending(response) ? response : socket;
      writeProtocolError(target, protocolErrorCode(code), { log, cause: code });
    }
  }

  // Node would silently drop further headers. Their size is limited.
  server.maxHeadersCount = 0;
  // A response that is still being prepared has no limit.
  server.setTimeout(UNREAD_RESPONSE_MS, (socket) => {
    if (responses.get(socket)?.headersSent !== false) closeUnlessRead(socket);
  });
  // RFC 9110, 10.1.1 allows ignoring an unknown expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, duplex) => {
    const socket = duplex as Socket;
    // Node has removed its own listeners, so that an unhandled error of the socket would end the process.
    socket.on('error', () => socket.destroy());
    socket.setTimeout(server.timeout, () => socket.destroy());
    const response = responses.get(socket);
    if (isPending(response)) closeAfter(response, socket);
    else writeProtocolError(socket, 'NOT_FOUND', { log });
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    if (code !== TOO_LATE || socket.bytesRead === 0) return refuse(socket, code);
    // If this process was frozen, the time of a request is over before the rest of it is read.
    const earlier = responses.get(socket);
    const wasWhole = earlier?.req.complete;
    setImmediate(() => {
      const latest = responses.get(socket);
      const isWhole = latest?.req.complete && !(latest === earlier && wasWhole);
      if (!isWhole) refuse(socket, code);
    });
  });
  return server;
}

function isPending(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && !(response.writableFinished && response.req.complete);
}

function readWhole(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const close = () => socket.destroy();
  response.once('finish', () => request.resume());
  // A connection that is closed with unread bytes is reset, and its caller may lose the response.
  socket.destroySoon = () =>
    socket.end(() => (request.complete ? close() : request.once('close', close)));
}

/** If this process was frozen, a limit passes before the data that arrived is read. */
function closeUnlessRead(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy();
  });
}

/** The error of malformed bytes behind a request must not replace the pending response. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  if (response.headersSent) socket.destroy();
  else response.setHeader('Connection', 'close');
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

  /** For `acceptMs` still accepts requests, with `Connection: close` in the response. */
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

/** An open connection may be about to send a request. */
async function waitUntilIdle(isBusy: () => boolean): Promise<void> {
  const started = Date.now();
  let lastBusy = started;
  while (Date.now() - lastBusy < IDLE_MS && Date.now() - started < LIMIT_MS) {
    await sleep(POLL_MS);
    if (isBusy()) lastBusy = Date.now();
  }
}
