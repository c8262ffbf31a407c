import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createCallEndpoint, type CallOptions } from '../../activities/webhooks/call-endpoint.ts';
import { createNameResolver, type Resolve } from '../../activities/webhooks/resolve-name.ts';
import { classifyCall } from '../../domain/webhooks/call-outcome.ts';
import { startNameServer, type NameServer } from '../support/name-server.ts';
import { forbiddenAnswers, forbiddenHosts } from './forbidden-spellings.ts';
import { listenOnLoopback } from '../support/listen.ts';

const attempted: string[] = [];
let taken = 0;

/** Node reports each socket, and the socket each connection that it really begins; others go to other ports. */
function watch(message: unknown): void {
  const { socket } = message as { socket: Socket };
  socket.on('connectionAttempt', (address: string, to: number) => {
    if (to === port) attempted.push(address);
  });
}
beforeEach(() => {
  attempted.length = 0;
  taken = 0;
});

const message = { allowHttp: true, headers: {}, body: '{}' };

subscribe('net.client.socket', watch);
const server = createServer((socket) => {
  taken += 1;
  socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
});
await new Promise<void>((resolve) => server.listen(0, '::', resolve));
const port = (server.address() as AddressInfo).port;
afterAll(() => {
  unsubscribe('net.client.socket', watch);
  server.close();
});

function call(host: string, options: Partial<CallOptions> = {}, scheme = 'http') {
  const callEndpoint = createCallEndpoint({ timeoutMs: 60_000, allowPrivate: false, ...options });
  return callEndpoint({ ...message, url: `${scheme}://${host}:${port}/hooks` });
}

const resolvingTo = (addresses: readonly string[]): Resolve => {
  const answer = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return () => Promise.resolve(answer);
};

describe('a forbidden address', () => {
  test('is tried in at least 200 spellings', () => {
    expect(new Set(forbiddenHosts).size).toBeGreaterThan(200);
  });

  test.each(['http', 'https'])('in any spelling is not connected to by %s', async (scheme) => {
    const answers = await Promise.all(forbiddenHosts.map((host) => call(host, {}, scheme)));
    const reached = forbiddenHosts.filter((_, index) => answers[index]?.kind === 'responded');
    expect(reached).toEqual([]);
    expect(attempted).toEqual([]);
    expect(taken).toBe(0);
    const known = ['forbidden_address', 'unreachable', 'name_not_found', 'no_name_server'];
    for (const answer of answers) expect(known).toContain('error' in answer && answer.error);
  });

  test.each([[[]], [['fe80::1%eth0']]])(
    'behind a name is not connected to: %j',
    async (addresses: string[]) => {
      const answer = await call('hooks.shop.example', { resolve: resolvingTo(addresses) });
      expect(answer).toMatchObject({ kind: 'no_response', error: 'forbidden_address' });
      expect(attempted).toEqual([]);
    },
  );

  test('of a cloud is not connected to even where private addresses are allowed', async () => {
    const hosts = ['2852039166', '168.63.129.16', '[fd00:ec2::254]', '[::ffff:169.254.169.254]'];
    const answers = await Promise.all(hosts.map((host) => call(host, { allowPrivate: true })));
    for (const answer of answers) expect(answer).toMatchObject({ error: 'forbidden_address' });
    expect(attempted).toEqual([]);
  });
});

describe('a name server that an attacker runs', () => {
  let names: NameServer;
  let resolve: Resolve;
  beforeAll(async () => {
    names = await startNameServer();
    resolve = createNameResolver({ nameServers: [names.address], attemptMs: 30_000 });
  });
  afterAll(() => names.stop());

  test.each(forbiddenAnswers.map((all) => [all]))('leads no call to %j', async (addresses) => {
    names.setAnswers([addresses]);
    const answer = await call('hooks.shop.example', { resolve });
    expect(answer).toMatchObject({ kind: 'no_response', error: 'forbidden_address' });
    expect(attempted).toEqual([]);
    expect(taken).toBe(0);
  });

  test('that changes its mind leads the call to the address that was checked', async () => {
    names.setAnswers([['127.0.0.2'], ['169.254.169.254']]);
    const settings = { timeoutMs: 60_000, allowPrivate: true, resolve };
    const callEndpoint = createCallEndpoint(settings);
    const url = `http://rebinding.example:${port}/`;
    await expect(callEndpoint({ ...message, url })).resolves.toMatchObject({ status: 200 });
    expect(attempted).toEqual(['127.0.0.2']);
    expect(await callEndpoint({ ...message, url })).toMatchObject({ error: 'forbidden_address' });
    expect(attempted).toEqual(['127.0.0.2']);
    expect(taken).toBe(1);
  });
});

describe('a redirect', () => {
  test.each([301, 307, 300])('%d is not followed', async (status) => {
    const targets = ['/next', `http://127.0.0.1:${port}/`, 'http://169.254.169.254/', '//[::1]/'];
    for (const location of targets) {
      let requests = 0;
      const redirecting = createHttpServer((_request, response) => {
        requests += 1;
        const refresh = `0;url=${location}`;
        response.writeHead(status, { location, refresh, 'content-location': location }).end();
      });
      const settings = { timeoutMs: 60_000, allowPrivate: true };
      const url = `http://127.0.0.1:${await listenOnLoopback(redirecting)}/`;
      const answer = await createCallEndpoint(settings)({ ...message, url });
      redirecting.closeAllConnections();
      redirecting.close();
      expect({ location, answer }).toMatchObject({ location, answer: { status } });
      expect(classifyCall(answer, new Date())).toMatchObject({ kind: 'failed', error: 'redirect' });
      expect(requests).toBe(1);
    }
    expect(attempted).toEqual([]);
    expect(taken).toBe(0);
  });
});

describe('plain http', () => {
  test('is refused where the endpoint was not registered with it', async () => {
    const callEndpoint = createCallEndpoint({ timeoutMs: 60_000, allowPrivate: true });
    const url = `http://127.0.0.1:${port}/`;
    const answer = await callEndpoint({ ...message, allowHttp: false, url });
    expect(answer.kind).toBe('no_response');
    expect(taken).toBe(0);
  });
});

describe('an endpoint that announces its response without end', () => {
  const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';

  async function callServer(handle: (socket: Socket) => void) {
    const announcing = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => handle(socket));
    });
    const url = `http://127.0.0.1:${await listenOnLoopback(announcing)}/`;
    const settings = { timeoutMs: 60_000, allowPrivate: true };
    const answer = createCallEndpoint(settings)({ ...message, url });
    return answer.finally(() => announcing.close());
  }

  test('is cut off, and leaves the event loop to others', async () => {
    const answer = await callServer((socket) => {
      const send = () => {
        while (!socket.destroyed && socket.write(EARLY_HINTS.repeat(1000)));
        socket.once('drain', send);
      };
      send();
    });
    expect(answer).toMatchObject({ kind: 'no_response', error: 'bad_answer' });
    expect(answer.latencyMs).toBeLessThan(30_000);
  });

  test('a few times is heard to the end', async () => {
    const last = 'HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n';
    const answer = await callServer((socket) => socket.end(`${EARLY_HINTS.repeat(8)}${last}`));
    expect(answer).toMatchObject({ status: 204 });
  });
});
