import { startTestApi } from '../../support/api.ts';
import { sendRaw } from '../../support/raw-http.ts';

const api = await startTestApi();
afterAll(() => api.stop());

const LEAD = '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01';

async function plain(path: string, init: RequestInit = {}) {
  const answer = await fetch(new URL(path, api.url), init);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
}

describe('paths', () => {
  test.each([
    '/',
    '/public/leads',
    '/v2',
    '/v2/',
    '/V2/public/leads',
    '/v2/Public/leads',
    '/v2/public/leads/',
    '/v2//public/leads',
    '/v2/public//leads',
    '/v1/public/leads',
    '/v20/public/leads',
    '/healthz',
    '/metrics',
    '/v2/metrics',
    '/v2/%zz',
    '/v2/public/leads%00',
    '/v2/__proto__',
    '/v2/docs/',
    '/v2/docs/package.json',
    '/v2/docs/..%2fpackage.json',
  ])('%s is not found, in the envelope', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await plain(path, { method });
      expect(answer).toMatchObject({ status: 404, body: { statusCode: 404, code: 'NOT_FOUND' } });
      expect(answer.body.path).toBe(new URL(path, api.url).pathname);
      expect(answer.body.timestamp).toMatch(/^\d{4}-.*Z$/);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  test.each([
    ['/', 'Every path begins with /v2/'],
    ['/public/leads', 'Every path begins with /v2/'],
    ['/v2/v2/public/leads', 'It has /v2 twice.'],
    ['/v2/public/leads/', 'No path ends with a slash.'],
  ])('the message for %s says: %s', async (path, hint) => {
    expect((await plain(path)).body.message).toContain(hint);
  });

  test.each(['%zz', '%', '%ff', '%00', 'x', '..', '1', `${LEAD}0`])(
    'the id %s is no uuid: 400',
    async (id) => {
      const answer = await sendRaw(
        api.url,
        `GET /v2/public/leads/${id}/assignment HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
          `Authorization: Bearer ${api.client.token}\r\n\r\n`,
      );
      expect(JSON.parse(answer.text)).toMatchObject({ statusCode: 400, code: 'BAD_REQUEST' });
    },
  );

  test('an unknown lead is not found, whatever its uuid is', async () => {
    for (const id of [LEAD, '11111111-1111-1111-1111-111111111111', LEAD.toUpperCase()]) {
      const answer = await api.call('GET', `/public/leads/${id}/assignment`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    }
  });
});

describe('methods', () => {
  test.each([
    ['GET', '/v2/oauth2/token', 'POST'],
    ['DELETE', '/v2/public/leads', 'POST'],
    ['HEAD', '/v2/public/leads', 'POST'],
    ['GET', `/v2/public/leads/${LEAD}`, 'PUT, PATCH'],
    ['POST', `/v2/public/leads/${LEAD}/assignment`, 'GET, HEAD'],
    ['GET', `/v2/public/leads/${LEAD}/response-time`, 'POST'],
    ['PROPFIND', '/v2/public/leads', 'POST'],
    ['POST', '/v2/openapi.json', 'GET, HEAD'],
  ])('%s %s is 405 with Allow', async (method, path, allow) => {
    const answer = await plain(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    if (method !== 'HEAD') expect(answer.body.code).toBe('METHOD_NOT_ALLOWED');
  });

  test('a preflight gets 405 and no CORS header; neither does any answer', async () => {
    const headers = {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization',
    };
    const preflight = await plain('/v2/public/leads', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(405);
    const answer = await api.call('GET', `/public/leads/${LEAD}/assignment`, { headers });
    for (const { headers: sent } of [preflight, answer])
      expect([...sent.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('HEAD works where GET does, without a body', async () => {
    const answer = await plain('/v2/openapi.json', { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, body: null });
  });
});

describe('what is not HTTP has the envelope too', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n', 400, 'BAD_REQUEST'],
    ['an unknown method', 'FOO /v2/public/leads HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'too many headers',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an unknown expectation',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      404,
      'NOT_FOUND',
    ],
  ])('%s', async (_what, bytes, status, code) => {
    const answer = await sendRaw(api.url, bytes);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({
      statusCode: status,
      code,
      message: expect.any(String),
      path: expect.any(String),
      timestamp: expect.any(String),
      requestId: /^x-request-id: (\S+)\r?$/im.exec(answer.head)?.[1],
    });
  });

  test('headers that never end are given up with 408', async () => {
    const answer = await sendRaw(api.url, 'GET /v2 HTTP/1.1\r\nHost: x\r\n');
    expect(JSON.parse(answer.text)).toMatchObject({ statusCode: 408, code: 'REQUEST_TIMEOUT' });
  });
});
