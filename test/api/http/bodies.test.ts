import { gzipSync, brotliCompressSync, deflateRawSync, deflateSync } from 'node:zlib';
import { startTestApi, type HttpAnswer } from '../../support/api.ts';
import { sendRaw } from '../../support/raw-http.ts';

const api = await startTestApi();
afterAll(() => api.stop());

const LEADS = '/public/leads';
const JSON_TYPE = { 'content-type': 'application/json' };

async function post(
  body: RequestInit['body'],
  headers: Record<string, string> = JSON_TYPE,
  { path = LEADS, token = api.client.token as string | null } = {},
): Promise<HttpAnswer> {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { ...authorization, ...headers },
    body,
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

let phones = 0;
const lead = (more: object = {}) => ({
  leadPhones: [`+97150${1_000_000 + (phones += 1)}`],
  ...more,
});
const bytesOf = (value: object) => Buffer.from(JSON.stringify(value));
const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

describe('size', () => {
  const large = bytesOf(lead({ initialInquiry: 'a'.repeat(256 * 1024) }));

  test('256 KiB exactly is taken', async () => {
    const empty = bytesOf(lead({ note: '' })).length;
    const body = bytesOf(lead({ note: 'a'.repeat(256 * 1024 - empty) }));
    expect(body.length).toBe(256 * 1024);
    expect((await post(body)).status).toBe(201);
  });

  test('one byte more is 413, before token and media type', async () => {
    for (const options of [{}, { token: null }]) {
      const answer = await post(large, { 'content-type': 'text/plain' }, options);
      expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    }
  });

  test('in chunks too', async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(large);
        controller.close();
      },
    });
    expect((await post(stream)).status).toBe(413);
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '))],
    ['deflate', deflateSync(Buffer.alloc(50 * 1024 * 1024, ' '))],
    ['deflate', deflateRawSync(Buffer.alloc(50 * 1024 * 1024, ' '))],
    ['br', brotliCompressSync(Buffer.alloc(5 * 1024 * 1024, ' '))],
  ])('a body that decompresses to more (%s) is 413', async (encoding, bomb) => {
    const answer = await post(bomb, { ...JSON_TYPE, 'content-encoding': encoding });
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });
});

describe('encoding and media type', () => {
  test.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['deflate', (bytes: Buffer) => deflateRawSync(bytes, { level: 0 })],
    ['br', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ] as const)('%s is decompressed', async (encoding, pack) => {
    const answer = await post(pack(bytesOf(lead())), {
      ...JSON_TYPE,
      'content-encoding': encoding,
    });
    expect(answer.status).toBe(201);
  });

  test.each(['zip', 'UTF-8', 'gzip, gzip', 'compress', '__proto__'])(
    '%s is 415, which names it and what is accepted',
    async (encoding) => {
      const answer = await post(bytesOf(lead()), { ...JSON_TYPE, 'content-encoding': encoding });
      const message = `Content-Encoding ${encoding} is not supported: use gzip, deflate, br, identity.`;
      const body = { code: 'UNSUPPORTED_MEDIA_TYPE', message };
      expect(answer).toMatchObject({ status: 415, body });
      expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br, identity');
    },
  );

  test('broken gzip is a syntax error: 400 with a token, 401 without, 422 before it', async () => {
    const broken = gzipSync(bytesOf(lead())).subarray(0, 20);
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect(await post(broken, headers)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    });
    expect((await post(broken, headers, { token: null })).status).toBe(401);
    expect((await post(broken, headers, { path: `${LEADS}?x=1` })).status).toBe(422);
    expect((await post('no gzip', headers)).status).toBe(400);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'nonsense',
  ])('%s is 415, before the token', async (type) => {
    const answer = await post(bytesOf(lead()), { 'content-type': type }, { token: 'wrong' });
    expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  test.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('%s is taken', async (type) => {
    expect((await post(bytesOf(lead()), { 'content-type': type })).status).toBe(201);
  });

  test('a body without a type is 415; no body at all is 400', async () => {
    const head = (rest: string) =>
      `POST /v2/public/leads HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
      `Authorization: Bearer ${api.client.token}\r\n${rest}`;
    expect((await sendRaw(api.url, head('Content-Length: 2\r\n\r\n{}'))).status).toBe(415);
    expect((await sendRaw(api.url, head('Content-Length: 0\r\n\r\n'))).status).toBe(400);
    expect((await sendRaw(api.url, head('\r\n'))).status).toBe(400);
    expect((await post('')).status).toBe(400);
  });
});

describe('syntax', () => {
  test.each([
    ['cut short', '{"leadPhones": ["05'],
    ['two objects', '{}{}'],
    ['a raw NUL', '{"a": "\u0000"}'],
    ['nested too deep', nested(33)],
  ])('%s is 400', async (_what, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('bytes that are not UTF-8 are 400', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a": "'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}'),
    ]);
    expect((await post(bytes)).status).toBe(400);
    expect((await post(Buffer.from('{}', 'utf16le'))).status).toBe(400);
  });

  test('a byte order mark is passed over', async () => {
    expect((await post(`\ufeff${JSON.stringify(lead())}`)).status).toBe(201);
  });

  test('32 levels are taken', async () => {
    const body = `{"leadPhones": ["0507654321"], "deep": ${nested(31)}}`;
    expect((await post(body)).status).toBe(201);
  });

  test('NUL and lone surrogates, wherever they stand, do no harm', async () => {
    const answer = await post(
      `{"leadPhones": ["0501234\\u0000567"], "leadFirstName": "A\\u0000\\ud800B", "x\\u0000": {"y": "\\udfff"},` +
        ` "quiz": {"quizKey": "k\\u0000", "answers": [{"questionKey": "q", "value": "\\ud83d"}]},` +
        ` "comments": [{"text": "\\u0000"}, {"text": "a\\u0000"}]}`,
    );
    expect(answer.status).toBe(201);
    expect(answer.body.leadFirstName).toBe('A\ufffdB');
  });
});

describe('order of checks', () => {
  test('errors are reported in the documented order', async () => {
    const path = `${LEADS}/no-uuid/response-time?x=1`;
    const wrong = { token: 'wrong', path };
    expect((await post('{', { 'content-type': 'text/plain' }, wrong)).status).toBe(415);
    expect((await post('{', JSON_TYPE, wrong)).status).toBe(401);
    const { token } = await api.addClient({ dailyQuota: 0 });
    expect((await post('{', JSON_TYPE, { token, path })).status).toBe(429);
    const ID = '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01';
    const at = (query: string) => ({ path: `${LEADS}/${ID}/response-time${query}` });
    expect((await post('{', JSON_TYPE, at('?x=1'))).status).toBe(422);
    expect((await post('{', JSON_TYPE, at(''))).status).toBe(400);
    expect((await post('{"seconds": "x"}', JSON_TYPE, at(''))).status).toBe(422);
    expect((await post('{"seconds": 1}', JSON_TYPE, at(''))).status).toBe(404);
  });
});

describe('query parameters', () => {
  test.each(['x', '__proto__=1', 'constructor=1', '%00=1'])('?%s is 422', async (query) => {
    const answer = await api.call('POST', `${LEADS}?${query}`, { body: {} });
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR', message: 'Validation failed' });
    expect(answer.body.errors).toHaveLength(1);
  });
});
