import { hashSecret } from '../../../domain/clients/credentials.ts';
import { grantOf, startTestApi, type TestClient } from '../../support/api.ts';

const api = await startTestApi();
afterAll(() => api.stop());
afterEach(() => api.setNow(null));

const ID = '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01';

const grant = (client: TestClient, more: object = {}) => ({ ...grantOf(client), ...more });

function askToken(body: unknown, headers: Record<string, string> = {}) {
  return api.call('POST', '/oauth2/token', { token: null, body, headers });
}

const use = (token: string | null) => api.call('GET', `/public/leads/${ID}/assignment`, { token });

describe('a right secret', () => {
  test('gives a token of 256 random bits for an hour, kept nowhere', async () => {
    const answer = await askToken(grant(api.client));
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^stg_tok_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: '',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    expect((await use(answer.body.access_token)).status).toBe(404);
    const [kept] = await api.database.query(
      `select 1 as one from oauth_tokens where token_hash = $1`,
      [hashSecret(answer.body.access_token)],
    );
    expect(kept).toBeDefined();
  });

  test('is not read from a form of more than a thousand fields', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const right = new URLSearchParams(grant(api.client)).toString();
    expect((await askToken(`${right}${'&a'.repeat(997)}`, headers)).status).toBe(200);
    const answer = await askToken(`${right}${'&a'.repeat(100_000)}`, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test('is taken with unknown fields beside it', async () => {
    const client = await api.addClient({ scope: 'leads:all' });
    const answer = await askToken(grant(client, { audience: 'x', scope: 'admin' }));
    expect(answer.body.scope).toBe('leads:all');
  });
});

describe('every wrong credential is a 401 that OAuth libraries understand', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const wrong = ['invalid_client', 'The client credentials are not valid.'];
  const blanks = [
    'invalid_client',
    'The client credentials are not valid. White space was sent before or after the client id or the secret.',
  ];
  const invalid = (text: string) => ['invalid_request', text];
  const empty = invalid('The body holds none of grant_type, client_id, client_secret.');
  const cases: [
    string,
    () => Promise<unknown> | unknown,
    readonly string[],
    Record<string, string>?,
  ][] = [
    ['a wrong secret', () => grant(api.client, { client_secret: 'x' }), wrong],
    ['an unknown client', () => grant(api.client, { client_id: 'x' }), wrong],
    [
      'the right secret and a line feed',
      () => grant(api.client, { client_secret: `${api.client.clientSecret}\n` }),
      blanks,
    ],
    ['an id in blanks', () => grant(api.client, { client_id: ` ${api.client.clientId}` }), blanks],
    [
      'another grant',
      () => grant(api.client, { grant_type: 'password' }),
      ['unsupported_grant_type', 'grant_type must be client_credentials.'],
    ],
    [
      'neither',
      () => ({ grant_type: 'client_credentials', client_id: '' }),
      invalid('client_id and client_secret are missing.'),
    ],
    [
      'no secret',
      () => grant(api.client, { client_secret: undefined }),
      invalid('client_secret is missing.'),
    ],
    [
      'a secret that is a list',
      () => grant(api.client, { client_secret: ['x'] }),
      invalid('client_secret must be one text.'),
    ],
    ['an empty object', () => ({}), empty],
    [
      'a NUL in a form',
      () => 'grant_type=client_credentials&client_id=%00&client_secret=%00',
      invalid('client_id and client_secret are missing.'),
      form,
    ],
    [
      'a field sent twice in a form',
      () => `${new URLSearchParams(grant(api.client))}&client_secret=${api.client.clientSecret}`,
      invalid('client_secret must be one text.'),
      form,
    ],
  ];

  test.each(cases)('%s', async (_what, make, [error, text], headers = {}) => {
    const { status, body, headers: sent } = await askToken(await make(), headers);
    expect(status).toBe(401);
    expect(sent.get('www-authenticate')).toBe('Basic realm="lead-intake"');
    expect(body).toEqual({
      statusCode: 401,
      code: 'UNAUTHORIZED',
      message: text,
      path: '/v2/oauth2/token',
      timestamp: expect.any(String),
      requestId: sent.get('x-request-id'),
      error,
      error_description: text,
    });
  });
});

test.each([
  ['no JSON', '{', undefined, 400, 'invalid_request'],
  ['another media type', 'x', { 'content-type': 'text/plain' }, 415, 'invalid_request'],
])('%s has the words of OAuth too', async (_what, body, headers, status, error) => {
  const answer = await askToken(body, headers);
  expect(answer).toMatchObject({ status, body: { error, error_description: answer.body.message } });
});

test('a description has only letters that RFC 6749 allows', async () => {
  const path = `/oauth2/token?${encodeURIComponent('"\\é')}=1`;
  const { body } = await api.call('POST', path, { token: null, body: grant(api.client) });
  expect(body.error_description).toBe('Validation failed; ???: is not known');
});

describe('failed token calls', () => {
  test('are throttled by client id; the client itself is served all the while, its quota untouched', async () => {
    api.setNow(new Date('2031-01-01T00:00:10Z'));
    const client = await api.addClient();
    const wrong = grant(client, { client_secret: 'guess' });
    for (let call = 0; call < 20; call += 1) expect((await askToken(wrong)).status).toBe(401);
    const refused = await askToken(wrong);
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers.get('retry-after')).toBe('50');
    const right = await askToken(grant(client));
    expect(right.status).toBe(200);
    expect(right.headers.get('x-ratelimit-remaining')).toBe('99999');
  });

  test('leave no row per client id once their address is throttled', async () => {
    const rows = async () => (await api.database.query(`select key from token_failures`)).length;
    api.setNow(new Date('2031-01-01T00:10:10Z'));
    const before = await rows();
    for (let call = 0; call < 150; call += 1)
      await askToken(grant(api.client, { client_id: `made-up-${call}` }));
    api.setNow(null);
    expect((await rows()) - before).toBeLessThanOrEqual(1 + 100);
  });
});

describe('a bearer token', () => {
  test.each([
    ['missing', null],
    ['unknown', 'nope'],
    ['of production', 'prd_tok_x'],
  ])('that is %s is UNAUTHORIZED', async (_what, token) => {
    const answer = await use(token);
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED', message: expect.stringContaining('POST /v2/oauth2/token') },
    });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test('expired has a code of its own, to the second', async () => {
    const issued = new Date();
    api.setNow(issued);
    const { body } = await askToken(grant(api.client));
    api.setNow(new Date(issued.getTime() + 3_599_999));
    expect((await use(body.access_token)).status).toBe(404);
    api.setNow(new Date(issued.getTime() + 3_600_000));
    const answer = await use(body.access_token);
    expect(answer).toMatchObject({ status: 401, body: { code: 'OAUTH_TOKEN_EXPIRED' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('of a client that is switched off is not "expired" after its hour either', async () => {
    const client = await api.addClient();
    await api.database.query(`update oauth_clients set active = false where id = $1`, [client.id]);
    api.setNow(new Date('9999-01-01'));
    expect((await use(client.token)).body.code).toBe('UNAUTHORIZED');
  });
});
