import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { trustConnection } from '../../../api/http/connections.ts';
import { createHttpServer } from '../../../api/http/http-server.ts';
import { waitUntil } from '../../../dev/wait-until.ts';

let server: Server;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await new Promise((resolve) => server.close(resolve));
});

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  limits: { maxPerAddress?: number; maxConnections?: number } = {},
): Promise<void> {
  const log = pino({ level: 'silent' });
  server = createHttpServer(handle, { log, maxPerAddress: 100, ...limits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

async function open(bytes = '', localAddress = '127.0.0.1'): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (bytes) socket.write(bytes);
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** What `/known` shows stands for a valid token. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/known') trustConnection(request, response);
  response.end('answer');
}

async function served(path: string): Promise<Socket> {
  const socket = await open(get(path));
  await once(socket, 'data');
  return socket;
}

const openOnes = (all: readonly Socket[]) => all.map(({ closed }) => !closed);

test('requests that were sent ahead are answered in order, each after the last answer was read', async () => {
  const atOnce: number[] = [];
  let beingMade = 0;
  await serve(async ({ url }, response) => {
    atOnce.push((beingMade += 1));
    response.once('finish', () => (beingMade -= 1));
    await new Promise(setImmediate);
    response.end(`answer ${url};`);
  });
  const socket = await open(['/1', '/2', '/3', '/4'].map(get).join(''));
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  await waitUntil(async () => expect(text).toContain('answer /4;'), { what: 'Every answer' });
  expect(text.match(/answer \/\d/g)).toEqual(['answer /1', 'answer /2', 'answer /3', 'answer /4']);
  expect(atOnce).toEqual([1, 1, 1, 1]);
});

test('a connection that sends far ahead and reads nothing is closed, and one answer was made', async () => {
  let made = 0;
  await serve(async (_request, response) => {
    made += 1;
    response.end(Buffer.alloc(64 * 1024 * 1024));
  });
  const socket = await open();
  socket.pause();
  const closed = once(socket, 'close');
  socket.write(get('/').repeat(1000));
  socket.resume();
  await closed;
  expect(made).toBe(1);
});

test('near the bound strangers make room first, the longest idle before others, and then whoever is idle', async () => {
  await serve(answer, { maxConnections: 10 });
  const known = [await served('/known'), await served('/known')];
  const strangers: Socket[] = [];
  for (let at = 0; at < 7; at += 1) strangers.push(await served('/'));
  const others: Socket[] = [];
  const arrive = async () => void others.push(await served('/known'));
  await arrive();
  await waitUntil(async () => expect(openOnes(strangers)[0]).toBe(false), { what: 'Room' });
  expect(openOnes([...known, ...strangers.slice(1)])).not.toContain(false);
  for (let at = 0; at < 7; at += 1) await arrive();
  const left = async () => expect(openOnes(strangers)).not.toContain(true);
  await waitUntil(left, { what: 'The end of every stranger' });
  await waitUntil(async () => expect(openOnes(known)).toEqual([false, true]), { what: 'Room' });
  expect(openOnes(others)).not.toContain(false);
});

test('near the bound a stranger that sends its body slowly makes room too', async () => {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    request.resume().once('end', () => void answer(request, response));
  };
  await serve(handle, { maxConnections: 10 });
  const slow = await open('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
  for (let at = 0; at < 15; at += 1) await served('/');
  const isClosed = async () => expect(slow.closed).toBe(true);
  // Sooner than the limit of a whole request.
  await waitUntil(isClosed, { what: 'Room', timeoutMs: 5000 });
});

test('a connection that waits for its answer is closed for nobody', async () => {
  const { promise: held, resolve: end } = Promise.withResolvers<undefined>();
  await serve(
    async (request, response) => {
      if (request.url === '/slow') await held;
      await answer(request, response);
    },
    { maxConnections: 10 },
  );
  const slow = await open(get('/slow'));
  for (let at = 0; at < 30; at += 1) await served('/');
  expect(slow.closed).toBe(false);
  end(undefined);
  expect(String(await once(slow, 'data'))).toContain('answer');
});

test('a stranger’s connection is kept a short while, one that has shown a token for longer', async () => {
  await serve(answer);
  const { port } = server.address() as AddressInfo;
  const keptFor = async (path: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`)).headers.get('keep-alive');
  expect([await keptFor('/'), await keptFor('/known')]).toEqual(['timeout=5', 'timeout=75']);
  server.keepAliveTimeout = 50;
  const stranger = await served('/');
  await once(stranger, 'close');
});

test('a proxy’s connections are kept for longer, whatever passed through them', async () => {
  await serve(answer, { maxPerAddress: Infinity });
  const { port } = server.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}/`);
  expect(headers.get('keep-alive')).toBe('timeout=75');
});

describe('the time in which an answer must be read', () => {
  const UNREAD_MS = 1000;

  test('ends the connection of a caller that does not read', async () => {
    const answers = Promise.withResolvers<ServerResponse>();
    await serve(async (_request, response) => {
      response.end(Buffer.alloc(64 * 1024 * 1024));
      answers.resolve(response);
    });
    server.timeout = UNREAD_MS;
    (await open(get('/'))).pause();
    const made = await answers.promise;
    await once(made, 'close');
    expect(made.writableFinished).toBe(false);
  });

  test('begins when the answer is made', async () => {
    await serve(async (_request, response) => {
      await sleep(2 * UNREAD_MS);
      response.end('made');
    });
    server.timeout = UNREAD_MS;
    const [data] = await once(await open(get('/')), 'data');
    expect(String(data)).toContain('made');
  });
});
