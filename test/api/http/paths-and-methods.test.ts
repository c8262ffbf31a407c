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
    '/v2/Public/leads',
    '/v2/public/leads/',
    '/v2/public//leads',
    '/metrics',
    '/v2/%zz',
    '/v2/__proto__',
    '/v2/docs/package.json',
    '/v2/docs/..%2fpackage.json',
  ])('%s is not found, in the envelope', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await plain(path, { method });
      expect(answer).toMatchObject({ status: 404, body: { statusCode: 404, code: 'NOT_FOUND' } });
      expect(answer.body.path).toBe(new URL(path, api.url).pathname);
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
});

describe('methods', () => {
  test.each([
    ['HEAD', '/v2/public/leads', 'POST'],
    ['PROPFIND', '/v2/public/leads', 'POST'],
    ['POST', '/v2/openapi.json', 'GET, HEAD'],
  ])('%s %s is 405 with Allow', async (method, path, allow) => {
    const answer = await plain(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
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

test('headers that never end are given up with 408, in the envelope', async () => {
  const answer = await sendRaw(api.url, 'GET /v2 HTTP/1.1\r\nHost: x\r\n');
  expect(JSON.parse(answer.body)).toMatchObject({ statusCode: 408, code: 'REQUEST_TIMEOUT' });
});
