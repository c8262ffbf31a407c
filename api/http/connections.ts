import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Counter } from 'prom-client';
import { announcedBytes } from './body.ts';
import { networkOf, siteOf } from './caller-address.ts';

/** From this share of all connections on, each new one closes an idle one. */
const CROWDED = 0.9;
/** A multiple of the limit of one address (/64). */
const ADDRESSES_OF_SITE = 4;
/** For a connection that has shown no valid token or secret. */
const STRANGER_IDLE_MS = 5000;
/** Requests sent before the response to the first one was read. */
const MAX_AHEAD = 16;
/** Unauthenticated callers may not send more ahead, on all connections together. */
const MAX_AHEAD_OF_ALL = 4096;
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
const UNREAD_CHECK_MS = 250;

interface Connection {
  socket: Socket;
  isKnown: boolean;
  isBusy: boolean;
  ahead: (() => void)[];
}

const connections = new WeakMap<Socket, Connection>();
let aheadOfAll = 0;

/** After a valid token or secret, the connection may stay idle for as long as the server allows. */
export function trustConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const connection = connections.get(socket);
  if (connection) connection.isKnown = true;
  if (!response.headersSent) response.removeHeader('Keep-Alive');
}

/** Unread responses would pile up in memory. Never runs `handle` if the connection closes before. */
export function afterEarlierResponses({ socket }: IncomingMessage, handle: () => void): void {
  const connection = connections.get(socket);
  if (!connection?.isBusy) {
    if (connection) connection.isBusy = true;
    return handle();
  }
  const mayWait = connection.isKnown || aheadOfAll < MAX_AHEAD_OF_ALL;
  if (!mayWait || connection.ahead.length >= MAX_AHEAD) return void socket.destroy();
  connection.ahead.push(handle);
  aheadOfAll += 1;
}

const refusedCounter = new Counter({
  name: 'http_connections_refused_total',
  help: 'Connections closed by the server: too many of one address or altogether, too many that are idle, or unread.',
  labelNames: ['limit'] as const,
});
// Prometheus sees no increase in a counter that appears with its first event.
for (const limit of ['all', 'address', 'idle', 'unread']) refusedCounter.inc({ limit }, 0);

/** So that outsiders cannot hold all connections. Without a limit per address, all are a proxy's. */
export function limitConnections(
  server: Server,
  { maxPerAddress, maxConnections }: { maxPerAddress: number; maxConnections: number },
): void {
  const [ofNetwork, ofSite] = [new Map<string, number>(), new Map<string, number>()];
  const idle = { strangers: new Set<Connection>(), known: new Set<Connection>() };
  const open = new Set<Socket>();

  function markIdle(connection: Connection): void {
    (connection.isKnown ? idle.known : idle.strangers).add(connection);
  }

  function markBusy(connection: Connection): void {
    idle.known.delete(connection);
    idle.strangers.delete(connection);
  }

  function closeIdle(): void {
    const [longest] = idle.strangers.size > 0 ? idle.strangers : idle.known;
    if (!longest) return;
    markBusy(longest);
    close(longest.socket, 'idle');
  }

  server.maxConnections = maxConnections;
  server.on('drop', () => refusedCounter.inc({ limit: 'all' }));
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const [network, site] = [networkOf(address), siteOf(address)];
    const counts = [count(ofNetwork, network, 1), count(ofSite, site, 1)] as const;
    const connection: Connection = {
      socket,
      // A proxy expects its connections to stay open.
      isKnown: maxPerAddress === Infinity,
      isBusy: false,
      ahead: [],
    };
    connections.set(socket, connection);
    open.add(socket);
    socket.once('close', () => {
      count(ofNetwork, network, -1);
      count(ofSite, site, -1);
      open.delete(socket);
      aheadOfAll -= connection.ahead.splice(0).length;
      markBusy(connection);
    });
    if (counts[0] > maxPerAddress || counts[1] > maxPerAddress * ADDRESSES_OF_SITE)
      return close(socket, 'address');
    if (open.size > CROWDED * maxConnections) closeIdle();
    markIdle(connection);
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection) return;
    // An unauthenticated caller may send a body slowly, and counts as idle until it is complete.
    if (connection.isKnown || announcedBytes(request) === 0) markBusy(connection);
    else
      request.once('end', () => {
        if (!response.writableFinished) markBusy(connection);
      });
    const idleMs = Math.min(STRANGER_IDLE_MS, server.keepAliveTimeout);
    if (!connection.isKnown)
      response.setHeader('Keep-Alive', `timeout=${Math.floor(idleMs / 1000)}`);
    response.once('close', () => {
      if (socket.destroyed) return;
      const next = connection.ahead.shift();
      if (next) {
        aheadOfAll -= 1;
        return next();
      }
      connection.isBusy = false;
      markIdle(connection);
      if (!connection.isKnown) socket.setTimeout(idleMs);
    });
  });
  const timer = setInterval(() => closeUnread(open), UNREAD_CHECK_MS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function closeUnread(open: ReadonlySet<Socket>): void {
  const unread = [...open].filter(({ writableLength }) => writableLength > 0);
  let bytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0);
  if (bytes <= MAX_UNREAD_BYTES) return;
  for (const socket of unread.toSorted((a, b) => b.writableLength - a.writableLength)) {
    bytes -= socket.writableLength;
    close(socket, 'unread');
    if (bytes <= MAX_UNREAD_BYTES) return;
  }
}

function close(socket: Socket, limit: 'address' | 'idle' | 'unread'): void {
  refusedCounter.inc({ limit });
  socket.destroy();
}

function count(counts: Map<string, number>, key: string, by: 1 | -1): number {
  const now = (counts.get(key) ?? 0) + by;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
  return now;
}
