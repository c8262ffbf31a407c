import { connect } from 'node:net';
import fc from 'fast-check';
import PQueue from 'p-queue';
import { pino } from 'pino';
import { createApp } from '../../api/app.ts';
import type { AppContext } from '../../api/context.ts';
import { createHttpServer } from '../../api/http/http-server.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { startTestApi, testConfig } from '../support/api.ts';
import { expectErrorEnvelope } from '../support/documented.ts';
import { startApiProcess } from '../support/process.ts';
import { exchange, type RawResponse } from '../support/raw-http.ts';
import { listenOnLoopback } from '../support/listen.ts';

const api = await startTestApi();
// A connection ends soon after its last response, so that a test can read until then.
Object.assign(api.server, { keepAliveTimeout: 100, keepAliveTimeoutBuffer: 0 });
afterAll(() => api.stop());

/** A request whose lines, its header `Host: x` included, are as given. */
const raw = (line: string, headers: readonly string[] = ['Host: x'], body = '') =>
  `${[line, ...headers].join('\r\n')}\r\n\r\n${body}`;

const GET = 'GET /nowhere HTTP/1.1';
const get = (...headers: string[]) => raw(GET, ['Host: x', ...headers]);
const at = (target: string) => raw(`GET ${target} HTTP/1.1`);
const POST = 'POST /v2/oauth2/token HTTP/1.1';
const JSON_TYPE = 'Content-Type: application/json';
const post = (headers: readonly string[], body: string, line = POST) =>
  raw(line, ['Host: x', JSON_TYPE, ...headers], body);
const inChunks = (body: string, ...headers: string[]) =>
  post(['Transfer-Encoding: chunked', ...headers], body);
const CHUNKED = '2\r\n{}\r\n0\r\n\r\n';
const manyHeaders = Array.from({ length: 2500 }, () => 'a:');

function create(...headers: string[]): string {
  const body = '{"leadPhones":["0501112233"]}';
  const length = `Content-Length: ${body.length}`;
  const authorization = `Authorization: Bearer ${api.client.token}`;
  return post([length, authorization, ...headers], body, 'POST /v2/public/leads HTTP/1.1');
}

function expectEnvelope({ status, headers, body }: RawResponse): void {
  const envelope = JSON.parse(body);
  expectErrorEnvelope(envelope.path.replace(/^\/v2/, ''), envelope, `${status}`);
  expect(envelope.statusCode).toBe(status);
  expect(headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
}

describe('raw requests', () => {
  /** What is sent, and the statuses that come back before the connection is closed. */
  const corpus: [what: string, bytes: string | (() => string), ...statuses: number[]][] = [
    ['two equal Hosts', get('Host: x'), 400],
    ['two Hosts over HTTP/1.0', raw('GET / HTTP/1.0', ['Host: x', 'Host: y']), 400],
    ['a second Host after very many headers', get(...manyHeaders, 'Host: y'), 400],
    ['no Host', raw(GET, []), 400],
    ['no Host over HTTP/1.0', raw('GET / HTTP/1.0', []), 404],
    ['a Host with a port', raw(GET, ['Host: shop.example:8080']), 404],
    ['an address as Host', raw(GET, ['Host: [::1]:8080']), 404],
    ['a Host with an account', raw(GET, ['Host: a@b']), 400],
    ['a create with two Authorizations', () => create('authorization: Bearer b'), 401],
    ['two media types', post(['Content-Type: text/plain', 'Content-Length: 2'], '{}'), 400],
    ['two different lengths', post(['Content-Length: 2', 'Content-Length: 3'], '{} '), 400],
    ['a length and chunks', inChunks(CHUNKED, 'Content-Length: 2'), 400],
    ['chunks over HTTP/1.0', inChunks(CHUNKED).replace('/1.1', '/1.0'), 400],
    ['chunks', inChunks(CHUNKED), 401],
    ['an endless chunk extension', inChunks(`2;${'a'.repeat(20_000)}\r\n{}\r\n`), 413],
    ['a bare carriage return', get('X: a\rHost: y'), 400],
    ['__proto__ as a header', get('__proto__: x', '__proto__: y'), 404],
    ['a target that is no address', at('http://[/'), 400],
    ['a target without a path', at('a://?b'), 400],
    ['a target with a wrong escape', at('http://%zz/'), 404],
    ['two slashes', at('//other.example/v2'), 404],
    ['an asterisk', raw('OPTIONS * HTTP/1.1'), 404],
    ['a long target', at(`/${'a'.repeat(20_000)}`), 431],
    ['TLS', `\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03${'\0'.repeat(100)}`, 400],
    ['an upgrade', get('Connection: Upgrade', 'Upgrade: websocket'), 404],
    [
      'an upgrade with a body',
      post(['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 2'], '{}'),
      401,
    ],
    ['an unknown expectation', get('Expect: tea'), 404],
    ['an unknown method', raw('FOO / HTTP/1.1'), 400],
    ['an expectation of 100', post(['Expect: 100-continue', 'Content-Length: 2'], '{}'), 401],
    ['CONNECT', raw('CONNECT a:1 HTTP/1.1'), 404],
    ['two requests', get() + get(), 404, 404],
    ['a create, then CONNECT', () => create() + raw('CONNECT a:1 HTTP/1.1'), 201],
    ['a create, then no HTTP', () => `${create()}hello\r\n\r\n`, 201],
    ['a create, then a broken one', () => create() + inChunks('zz\r\n'), 201],
  ];

  test.each(corpus)('%s', async (_what, bytes, ...statuses) => {
    const responses = await exchange(api.url, typeof bytes === 'string' ? bytes : bytes());
    expect(responses.map(({ status }) => status)).toEqual(statuses);
    responses.filter(({ status }) => status >= 400).forEach(expectEnvelope);
  });

  test('thousands of mutations: none is an internal error, each response has the envelope', async () => {
    const { headersTimeout, requestTimeout } = api.server;
    Object.assign(api.server, { headersTimeout: 200, requestTimeout: 400 });
    const seeds = [
      create('Connection: keep-alive'),
      inChunks(CHUNKED),
      get('Upgrade: h2c'),
      at('http://x:1/v2/openapi.json?a=b'),
      post(['Expect: 100-continue', 'Content-Length: 2'], '{}'),
    ];
    const mutants = fc.sample(mutantOf(seeds), { seed: 16, numRuns: 4000 });
    const queue = new PQueue({ concurrency: 200 });
    await queue.addAll(
      mutants.map((bytes) => async () => {
        try {
          (await exchange(api.url, bytes)).forEach(expectServed);
        } catch (error) {
          throw new Error(`After ${JSON.stringify(bytes)}`, { cause: error });
        }
      }),
    );
    Object.assign(api.server, { headersTimeout, requestTimeout });
    expect(await exchange(api.url, create())).toMatchObject([{ status: 201 }]);
  });
});

function expectServed(response: RawResponse): void {
  expect(response.status).toBeLessThan(500);
  if (response.status >= 400) expectEnvelope(response);
}

/** One of the seeds after some edits, each at a place of its own. */
function mutantOf(seeds: readonly string[]): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  const piece = fc.oneof(
    fc.constantFrom('\r\n', '\n', '\r', '\0', ' ', ':', '[', '%', '0\r\n\r\n', '//', '?', '\xff'),
    fc.constantFrom('Host: y\r\n', 'Transfer-Encoding: chunked\r\n', 'Content-Length: 7\r\n'),
    fc.constantFrom('HTTP/1.0', 'Connection: Upgrade\r\n', 'CONNECT a:1 HTTP/1.1\r\n', '-1'),
    fc.string({ maxLength: 8 }),
  );
  const cut = fc.nat({ max: 20 });
  const edit = fc.record({ place, cut, piece, copied: fc.boolean() });
  return fc
    .tuple(fc.constantFrom(...seeds), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([seed, edits]) =>
      edits.reduce((text, { place: share, cut: length, piece: added, copied }) => {
        const start = Math.floor(share * text.length);
        const middle = copied ? text.slice(start, start + length).repeat(2) : added;
        return text.slice(0, start) + middle + text.slice(start + length);
      }, seed),
    );
}

describe('whatever is thrown', () => {
  test.each([
    ['before all others', () => Promise.reject(new Error('planted'))],
    [
      'by a response that cannot be written',
      async (http: { body: unknown }) => void (http.body = { a: 1n }),
    ],
    ['that is no error', () => Promise.reject('planted')],
  ])('%s is answered in the envelope, logged under its id and counted', async (_what, planted) => {
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const app = createApp({ config: testConfig('postgres://nowhere'), log } as AppContext);
    app.middleware.unshift(planted as never);
    const server = createHttpServer(app.callback(), { log, maxPerAddress: 10 });
    const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
    const [response] = (await exchange(url, get())) as [RawResponse];
    expect(response.status).toBe(500);
    expectEnvelope(response);
    expect(lines.join('')).toContain(`"requestId":"${response.headers['x-request-id']}"`);
    server.close();
  });
});

describe('the process', () => {
  test('logs and counts a request that is refused, and outlives callers that reset', async () => {
    const { url, opsUrl, log, stop } = await startApiProcess({
      DATABASE_URL: api.config.database.url,
    });
    for (const bytes of [at('http://[/'), 'hello\r\n\r\n', get('Host: y')]) {
      const [response] = (await exchange(url, bytes)) as [RawResponse];
      const logged = async () => expect(log()).toContain(response.headers['x-request-id']);
      await waitUntil(logged, { what: 'The line of the log' });
    }
    const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
    expect(metrics).toContain('http_requests_total{method="any",route="none",status="400"} 3');
    for (let sent = 0; sent < 200; sent += 1)
      await sendAndReset(url, `${sent % 2 ? create() : ''}${raw('CONNECT a:1 HTTP/1.1')}`);
    expect(await exchange(url, create('Connection: close'))).toMatchObject([{ status: 201 }]);
    expect(await stop()).toBe(0);
  });
});

async function sendAndReset(url: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.write(bytes, resolve));
  socket.resetAndDestroy();
}
