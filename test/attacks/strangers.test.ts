import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import pg from 'pg';
import { createBodyRoom } from '../../api/http/body.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { grantOf, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { waitForLockWaits } from '../support/lock-waits.ts';

let sockets: Socket[] = [];
const api = await startTestApi({ variables: { TRUSTED_PROXIES: '1' } });
const lock = new pg.Client({ connectionString: api.config.database.url });
await lock.connect();
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

/** Makes thirty failing calls for a token, which the database holds until they are ended. Ending them gives their statuses. */
async function holdFailing(call: (at: number) => ReturnType<TestApi['call']>) {
  await lock.query('begin');
  await lock.query('lock table token_failures in access exclusive mode');
  const failing = Array.from({ length: 30 }, (_each, at) => call(at));
  return async () => {
    await lock.query('rollback');
    return (await Promise.all(failing)).map(({ status }) => status);
  };
}

test('strangers who wait hold up neither a client with a token nor a stranger from elsewhere', async () => {
  const list = () => api.call('GET', '/public/project-statuses');
  expect((await list()).status).toBe(200);
  const endFailing = await holdFailing((at) => tokenCall('192.0.2.1', 'wrong', `nobody-${at}`));
  const waiting = async () => {
    const { rows } = await lock.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).not.toEqual([]);
  };
  await waitUntil(waiting, { what: 'Strangers at the database' });
  expect((await list()).status).toBe(200);
  expect((await tokenCall('192.0.2.2', api.client.clientSecret)).status).toBe(200);
  expect(new Set(await endFailing())).toEqual(new Set([401]));
});

test.each<[string, number, (at: number, greedy: TestClient) => ReturnType<TestApi['call']>]>([
  ['of many networks', 6, (at) => tokenCall(`198.51.100.${at}`, 'wrong', `nobody-${at}`)],
  [
    'that show a valid token',
    4,
    (_at, client) =>
      api.call('POST', '/oauth2/token', {
        client,
        body: grantOf({ ...client, clientSecret: 'wrong' }),
      }),
  ],
])(
  'failing token calls %s leave connections to a client with a token',
  async (_what, most, call) => {
    const list = (client = api.client) => api.call('GET', '/public/project-statuses', { client });
    const greedy = await api.addClient();
    expect((await list(greedy)).status).toBe(200);
    expect((await list()).status).toBe(200);
    const endFailing = await holdFailing((at) => call(at, greedy));
    await waitForLockWaits(api.catalogue, most);
    expect((await list()).status).toBe(200);
    await waitForLockWaits(api.catalogue, most);
    expect(await endFailing()).not.toContain(200);
  },
);

test('compressed bodies of one sender take the room that they decompress to', async () => {
  const credentials = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'x' };
  const body = gzipSync(JSON.stringify(credentials).padEnd(256 * 1024));
  expect(body.length).toBeLessThan(1024);
  const headers = {
    'x-forwarded-for': '192.0.2.3',
    'content-type': 'application/json',
    'content-encoding': 'gzip',
  };
  await lock.query('begin');
  await lock.query('lock table token_failures in access exclusive mode');
  const statuses = Array.from({ length: 70 }, async () => {
    const { status } = await fetch(`${api.url}/oauth2/token`, { method: 'POST', headers, body });
    return status;
  });
  expect(await Promise.race(statuses)).toBe(503);
  await lock.query('rollback');
  await Promise.all(statuses);
});

/** Announces a body and sends nothing of it. */
async function announce(bytes: number, network: string, token = ''): Promise<Socket> {
  const { hostname: host, port } = new URL(api.url);
  const socket = connect({ host, port: Number(port) });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = ['POST /v2/public/leads HTTP/1.1', 'Host: x', `X-Forwarded-For: ${network}`];
  const type = ['Content-Type: application/json', `Content-Length: ${bytes}`];
  const bearer = token ? [`Authorization: Bearer ${token}`] : [];
  socket.write(`${[...head, ...type, ...bearer].join('\r\n')}\r\n\r\n{`);
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

test('long bodies of strangers from many networks leave room to a client with a token', async () => {
  expect((await api.call('GET', '/public/project-statuses')).status).toBe(200);
  const networks = Array.from({ length: 9 }, (_each, at) => `203.0.113.${at}`);
  for (const network of networks)
    await Promise.all(Array.from({ length: 64 }, () => announce(256 * 1024, network)));
  await waitForRefusal('203.0.113.200');
  const body = { leadPhones: ['0501230010'], initialInquiry: 'x'.repeat(5000) };
  expect((await api.call('POST', '/public/leads', { body })).status).toBe(201);
});

test('long bodies with several tokens of one client leave room to another one', async () => {
  const greedy = await api.addClient();
  const tokens = Array.from({ length: 9 }, async () => {
    const options = { token: null, body: grantOf(greedy) };
    return (await api.call('POST', '/oauth2/token', options)).body.access_token;
  });
  for (const token of await Promise.all(tokens))
    await Promise.all(Array.from({ length: 65 }, () => announce(256 * 1024, '192.0.2.4', token)));
  await waitForRefusal('192.0.2.4', await tokens.at(-1));
  expect((await api.call('GET', '/public/project-statuses')).status).toBe(200);
  const body = { leadPhones: ['0501230011'], initialInquiry: 'x'.repeat(5000) };
  expect((await api.call('POST', '/public/leads', { body })).status).toBe(201);
});

async function waitForRefusal(network: string, token = ''): Promise<void> {
  const isRefused = async () => {
    const socket = await announce(256 * 1024, network, token);
    const answer = await Promise.race([once(socket, 'data').then(String), waitForSilence()]);
    expect(answer).toContain('503');
  };
  await waitUntil(isRefused, { what: 'The end of the room' });
}

const waitForSilence = () =>
  new Promise<string>((resolve) => setTimeout(() => resolve('nothing'), 100));

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
