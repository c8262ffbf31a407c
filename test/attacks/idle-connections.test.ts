import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { waitUntil } from '../../dev/wait-until.ts';
import { startTestApi } from '../support/api.ts';
import { exchange } from '../support/raw-http.ts';
import { standStill } from '../support/stand-still.ts';

const LIMIT = 40;
const ATTACKER = '127.0.0.2';

let held: Socket[] = [];
const api = await startTestApi({ variables: { MAX_CONNECTIONS_PER_ADDRESS: String(LIMIT) } });
// Between four seconds and more than a minute otherwise.
const limits = { headersTimeout: 2000, requestTimeout: 2000, timeout: 2000 };
Object.assign(api.server, { ...limits, keepAliveTimeout: 2000 });
// A busy machine may take longer to answer the caller that holds no connection.
api.server.on('connection', (socket) => {
  if (socket.remoteAddress !== ATTACKER) socket.setTimeout(0);
});
afterAll(() => api.stop());
afterEach(() => {
  for (const socket of held) socket.destroy();
  held = [];
});

/** Says `bytes`, reads nothing and never closes its side. */
async function hold(bytes: string, localAddress: string): Promise<void> {
  const { hostname: host, port } = new URL(api.url);
  const socket = connect({ host, port: Number(port), localAddress, allowHalfOpen: true });
  held.push(socket.pause());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (bytes) socket.write(bytes);
}

const flood = (bytes: string, connections: number) =>
  Promise.all(Array.from({ length: connections }, () => hold(bytes, ATTACKER)));

const countConnections = () => promisify(api.server.getConnections.bind(api.server))();

const createLead = (localAddress: string) =>
  exchange(api.url, createRequest('close'), localAddress);

function createRequest(connection: 'close' | 'keep-alive'): string {
  const body = '{"leadPhones":["0501112244"]}';
  const head = [
    'POST /v2/public/leads HTTP/1.1',
    'Host: x',
    `Connection: ${connection}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Authorization: Bearer ${api.client.token}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const HEAD = 'POST /v2/oauth2/token HTTP/1.1\r\nHost: x\r\n';
const HALF_A_BODY = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
const LARGE = 'GET /v2/docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n';

test.each([
  ['say nothing', ''],
  ['send half of a body', HEAD + HALF_A_BODY],
  ['ask for an upgrade and send half of a body', `${HEAD}Upgrade: h2c\r\n${HALF_A_BODY}`],
  ['ask for a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['do not read their responses', LARGE.repeat(12)],
])(
  'connections that %s: one address holds few, another is served, none stays',
  async (_what, bytes) => {
    await flood(bytes, LIMIT + 20);
    expect(await createLead('127.0.0.1')).toMatchObject([{ status: 201 }]);
    expect(await countConnections()).toBeLessThanOrEqual(LIMIT + 1);
    const none = async () => expect(await countConnections()).toBe(0);
    await waitUntil(none, { what: 'The end of every connection', timeoutMs: 40_000 });
    // A connection leaves the server's count a moment before its address's.
    const served = async () => expect(await createLead(ATTACKER)).toMatchObject([{ status: 201 }]);
    await waitUntil(served, { what: 'The address that held the connections' });
  },
);

test('a request that arrives while the process stands still for longer than the limits is answered', async () => {
  const { hostname: host, port } = new URL(api.url);
  const connectTo = () => connect({ host, port: Number(port) });
  const socket = connectTo();
  const isAccepted = once(api.server, 'connection');
  await Promise.all([once(socket, 'connect'), isAccepted]);
  const half = connectTo();
  const isBegun = once(api.server, 'request');
  half.write(createRequest('close').slice(0, -5));
  await isBegun;
  half.write(createRequest('close').slice(-5));
  for (const connection of ['keep-alive', 'close'] as const) {
    socket.write(createRequest(connection));
    standStill(3500);
    if (connection === 'keep-alive') await once(socket, 'data');
  }
  expect(await text(socket)).toMatch(/^HTTP\/1.1 201 /);
  expect(await text(half)).toMatch(/^HTTP\/1.1 201 /);
});

test('behind a proxy, whose address all connections have, there is no limit of an address', async () => {
  const proxied = await startTestApi({
    variables: { MAX_CONNECTIONS_PER_ADDRESS: '1', TRUSTED_PROXIES: '1' },
  });
  expect(proxied.config.maxConnectionsPerAddress).toBe(Infinity);
  await proxied.stop();
});
