import type { LookupAddress } from 'node:dns';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { waitUntil } from '../../../dev/wait-until.ts';
import {
  createCallEndpoint,
  type CallOptions,
  type Resolve,
} from '../../../activities/webhooks/call-endpoint.ts';
import { forbiddenAnswers, forbiddenHosts } from './forbidden-spellings.ts';

const attempted: string[] = [];
let taken = 0;
let server: Server;
let port: number;

/** Node reports each socket, and the socket each connection that it really begins; others go to other ports. */
function watch(message: unknown): void {
  const { socket } = message as { socket: Socket };
  socket.on('connectionAttempt', (address: string, to: number) => {
    if (to === port) attempted.push(address);
  });
}

beforeAll(async () => {
  subscribe('net.client.socket', watch);
  server = createServer((socket) => {
    taken += 1;
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  unsubscribe('net.client.socket', watch);
  server.close();
});
beforeEach(() => {
  attempted.length = 0;
  taken = 0;
});

const message = { allowHttp: true, headers: {}, body: '{}' };

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
    expect(new Set(forbiddenHosts).size).toBeGreaterThan(400);
  });

  test.each(['http', 'https'])('in any spelling is not connected to by %s', async (scheme) => {
    const answers = await Promise.all(forbiddenHosts.map((host) => call(host, {}, scheme)));
    const reached = forbiddenHosts.filter((_, index) => answers[index]?.kind === 'responded');
    expect(reached).toEqual([]);
    expect(attempted).toEqual([]);
    expect(taken).toBe(0);
    const known = ['forbidden_address', 'unreachable', 'name_not_found'];
    for (const answer of answers) expect(known).toContain('error' in answer && answer.error);
  });

  test.each(forbiddenAnswers.map((addresses) => [addresses]))(
    'behind a name is not connected to: %j',
    async (addresses) => {
      const answer = await call('hooks.shop.example', { resolve: resolvingTo(addresses) });
      expect(answer).toMatchObject({ kind: 'no_response', error: 'forbidden_address' });
      expect(attempted).toEqual([]);
      expect(taken).toBe(0);
    },
  );

  test('behind a name that answers differently the second time is not connected to', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const resolve: Resolve = (...question) => resolvingTo(answers.shift() ?? [])(...question);
    const callEndpoint = createCallEndpoint({ timeoutMs: 60_000, allowPrivate: true, resolve });
    const url = `http://hooks.shop.example:${port}/`;
    await expect(callEndpoint({ ...message, url })).resolves.toMatchObject({ status: 200 });
    // Asked once per call: what was answered then is what is connected to.
    expect(answers).toHaveLength(1);
    const second = await callEndpoint({ ...message, url });
    expect(second).toMatchObject({ error: 'forbidden_address' });
    expect(attempted).toEqual(['127.0.0.1']);
    expect(taken).toBe(1);
  });

  test('of a cloud is not connected to even where private addresses are allowed', async () => {
    const hosts = ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:169.254.169.254]', '2852039166'];
    const answers = await Promise.all(hosts.map((host) => call(host, { allowPrivate: true })));
    for (const answer of answers) expect(answer).toMatchObject({ error: 'forbidden_address' });
    expect(attempted).toEqual([]);
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

describe('names', () => {
  test('are asked once for calls at the same time', async () => {
    let asked = 0;
    const answer = Promise.withResolvers<LookupAddress[]>();
    const resolve: Resolve = () => {
      asked += 1;
      return answer.promise;
    };
    const callEndpoint = createCallEndpoint({ timeoutMs: 60_000, allowPrivate: true, resolve });
    const url = `http://hooks.shop.example:${port}/`;
    const calls = [1, 2, 3].map(() => callEndpoint({ ...message, url }));
    await waitUntil(async () => expect(asked).toBe(1), { what: 'The question' });
    answer.resolve([{ address: '127.0.0.1', family: 4 }]);
    await Promise.all(calls);
    expect(asked).toBe(1);
    expect(taken).toBe(3);
  });
});
