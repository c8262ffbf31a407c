import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { createHttpServer } from '../../../api/http/http-server.ts';
import { newPhone, startTestApi } from '../../support/api.ts';
import { listenOnLoopback } from '../../support/listen.ts';
import { exchange } from '../../support/raw-http.ts';

const api = await startTestApi();
const spent = await api.addClient({ dailyQuota: 0 });
afterAll(() => api.stop());

const HOST = 'Host: x';
const JSON_TYPE = 'Content-Type: application/json';
const bearer = ({ token }: { token: string }) => `Authorization: Bearer ${token}`;
const OWN = [HOST, JSON_TYPE, bearer(api.client)];

/** More than the buffers of both sides hold. */
const LONG = 'a'.repeat(8 * 1024 * 1024);
const framed = {
  length: (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`,
  chunked: (body: string) =>
    `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
};
const request = (line: string, headers: readonly string[], rest: string) =>
  `${[line, ...headers, rest].join('\r\n')}`;
const CREATE = 'POST /v2/public/leads HTTP/1.1';
const goodLead = () =>
  request(
    CREATE,
    [...OWN, 'Connection: close'],
    framed.length(JSON.stringify({ leadPhones: [newPhone()] })),
  );

/** Within the limit of a body. */
const SHORT = 'a'.repeat(200_000);
const cases: [string, status: number, line: string, headers: readonly string[], body?: string][] = [
  ['too long', 413, CREATE, OWN],
  ['too long, and 100-continue', 413, CREATE, [...OWN, 'Expect: 100-continue']],
  ['to no path', 404, 'POST /v2/nowhere HTTP/1.1', OWN],
  ['of another method', 405, 'DELETE /v2/public/leads HTTP/1.1', OWN],
  ['of a read', 200, 'GET /v2/public/developers HTTP/1.1', OWN],
  ['of another type', 415, CREATE, [HOST, 'Content-Type: text/plain', bearer(api.client)], SHORT],
  ['in another encoding', 415, CREATE, [...OWN, 'Content-Encoding: UTF-8'], SHORT],
  ['without a token', 401, CREATE, [HOST, JSON_TYPE], SHORT],
  ['over the quota', 429, CREATE, [HOST, JSON_TYPE, bearer(spent)], SHORT],
];

describe.each(['length', 'chunked'] as const)('a body with %s is read to its end', (framing) => {
  test.each(cases)(
    'if it is %s (%i): the next request is served',
    async (...[, status, line, headers, body = LONG]) => {
      const bytes = request(line, headers, framed[framing](body)) + goodLead();
      const responses = await exchange(api.url, bytes);
      expect(responses.map((each) => each.status)).toEqual([status, 201]);
    },
  );

  test.each<[string, number, string, readonly string[]]>([
    ['the caller asked for it', 413, CREATE, [...OWN, 'Connection: close']],
    ['the request is malformed', 400, CREATE, [...OWN, HOST]],
  ])('before the connection is closed, if %s', async (_what, status, line, headers) => {
    const text = await sendThenRead(api.url, request(line, headers, framed[framing](LONG)));
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nConnection: close\r\n`));
  });
});

test('before the connection of a caller of HTTP/1.0 is closed', async () => {
  const line = 'POST /v2/nowhere HTTP/1.0';
  const text = await sendThenRead(api.url, request(line, OWN, framed.length(LONG)));
  expect(text).toMatch(/^HTTP\/1.1 404 /);
});

/** As clients do that read only once they have sent everything. Rejects where the connection is reset before. */
async function sendThenRead(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await once(socket, 'end');
  socket.end();
  return text;
}

describe('a request that was answered early', () => {
  /** Sends `head`, then a byte of the body every few milliseconds, until the connection is closed. */
  async function dripTo(port: number, head: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.write(`${head}\r\n\r\n`);
    const timer = setInterval(() => socket.write('1\r\na\r\n'), 20);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(timer);
    return text;
  }

  test.each(['keep-alive', 'close'])(
    'and goes on without end is cut off after its time, with one response (%s)',
    async (connection) => {
      const server = createHttpServer(async (_request, response) => void response.end('early'), {
        log: pino({ level: 'silent' }),
        maxPerAddress: 10,
      });
      server.requestTimeout = 1000;
      const port = await listenOnLoopback(server);
      const head = ['POST / HTTP/1.1', HOST, 'Transfer-Encoding: chunked'];
      const text = await dripTo(port, [...head, `Connection: ${connection}`].join('\r\n'));
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
      server.close();
    },
  );

  test('with the close of its connection is the last one that is run', async () => {
    const run: (string | undefined)[] = [];
    const handle = async ({ url: target }: { url?: string }, response: { end(): void }) => {
      run.push(target);
      response.end();
    };
    const log = pino({ level: 'silent' });
    const server = createHttpServer(handle as never, { log, maxPerAddress: 10 });
    const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
    const first = request('POST /1 HTTP/1.1', [HOST, 'Connection: close'], framed.length(LONG));
    const next = request('GET /2 HTTP/1.1', [HOST], '\r\n');
    expect(await exchange(url, first + next)).toMatchObject([{ status: 200 }]);
    expect(run).toEqual(['/1']);
    server.close();
  });
});
