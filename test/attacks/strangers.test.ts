import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { createBodyRoom } from '../../api/http/body.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { exchange } from '../support/raw-http.ts';

let api: TestApi;
let lock: pg.Client;
let sockets: Socket[] = [];
beforeAll(async () => {
  api = await startTestApi({ variables: { TRUSTED_PROXIES: '1' } });
  lock = new pg.Client({ connectionString: api.config.database.url });
  await lock.connect();
});
afterAll(async () => {
  await lock.end();
  await api.stop();
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

const tokenCall = (network: string, secret: string, clientId = api.client.clientId) =>
  api.call('POST', '/oauth2/token', {
    token: null,
    headers: { 'x-forwarded-for': network },
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: secret },
  });

test('strangers who wait hold up neither a client with a token nor a stranger from elsewhere', async () => {
  const list = () => api.call('GET', '/public/project-statuses');
  expect((await list()).status).toBe(200);
  await lock.query('begin');
  await lock.query('lock table token_failures in access exclusive mode');
  const failing = Array.from({ length: 30 }, (_each, at) =>
    tokenCall('192.0.2.1', 'wrong', `nobody-${at}`),
  );
  const waiting = async () => {
    const { rows } = await lock.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).not.toEqual([]);
  };
  await waitUntil(waiting, { what: 'Strangers at the database' });
  expect((await list()).status).toBe(200);
  expect((await tokenCall('192.0.2.2', api.client.clientSecret)).status).toBe(200);
  await lock.query('rollback');
  const statuses = (await Promise.all(failing)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401]));
});

/** Announces a body and sends nothing of it. */
async function announce(bytes: number, network: string): Promise<Socket> {
  const { hostname: host, port } = new URL(api.url);
  const socket = connect({ host, port: Number(port) });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = ['POST /v2/public/leads HTTP/1.1', 'Host: x', `X-Forwarded-For: ${network}`];
  const type = ['Content-Type: application/json', `Content-Length: ${bytes}`];
  socket.write(`${[...head, ...type].join('\r\n')}\r\n\r\n{`);
  return socket;
}

test('long bodies of one sender take so much room, and leave it to others', async () => {
  const bytes = 256 * 1024;
  const refusal = (socket: Socket) => once(socket, 'data').then(([data]) => String(data));
  await Promise.all(Array.from({ length: 64 }, () => announce(bytes, '192.0.2.1')));
  const next = async () => refusal(await announce(bytes, '192.0.2.1'));
  expect(await next()).toMatch(/^HTTP\/1.1 503 .*\r\nretry-after: 1\r\n/is);
  const body = { leadPhones: ['0501230009'], initialInquiry: 'x'.repeat(5000) };
  const create = (network: string) =>
    api.call('POST', '/public/leads', { body, headers: { 'x-forwarded-for': network } });
  expect((await create('192.0.2.2')).status).toBe(201);
  // Whose token was valid a moment ago has room of their own.
  expect((await create('192.0.2.1')).status).toBe(201);
  for (const socket of sockets) socket.destroy();
  const hasRoom = async () => {
    const socket = await announce(bytes, '192.0.2.1');
    const answer = await Promise.race([refusal(socket), waitForSilence()]);
    expect(answer).toBe('nothing');
  };
  await waitUntil(hasRoom, { what: 'The room of the bodies that ended' });
});

const waitForSilence = () =>
  new Promise<string>((resolve) => setTimeout(() => resolve('nothing'), 100));

test('a body without a token that is too long is still 413, a short one 401', async () => {
  const send = async (bytes: number) => {
    const head = `POST /v2/public/leads HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
    return (await exchange(api.url, head + ' '.repeat(bytes))).map(({ status }) => status);
  };
  expect([await send(256 * 1024 + 1), await send(256 * 1024)]).toEqual([[413], [401]]);
});

test('the room of bodies is never more than all of it, nor a sender’s more than its own', () => {
  const take = fc.record({ sender: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat({ max: 40 }) });
  fc.assert(
    fc.property(fc.array(take), fc.infiniteStream(fc.boolean()), (takes, ends) => {
      const room = createBodyRoom({ bytes: 100, bytesOfSender: 60 });
      const held: { sender: string; bytes: number }[] = [];
      const sum = (of: typeof held) => of.reduce((total, { bytes }) => total + bytes, 0);
      for (const each of takes) {
        const own = held.filter(({ sender }) => sender === each.sender);
        const fits = sum(held) + each.bytes <= 100 && sum(own) + each.bytes <= 60;
        expect(room.take(each.sender, each.bytes)).toBe(fits);
        if (fits) held.push(each);
        if (!ends.next().value) continue;
        const ended = held.shift();
        if (ended) room.release(ended.sender, ended.bytes);
      }
    }),
  );
});
