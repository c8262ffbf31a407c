import {
  grantOf,
  startTestApi,
  type HttpAnswer,
  type TestApi,
  type TestClient,
} from '../../support/api.ts';

const api = await startTestApi();
afterAll(() => api.stop());
/** A quota begins anew with each day, which none of the tests is to meet by chance. */
beforeEach(() => api.setNow(new Date('2031-05-01T12:00:00Z')));

const ID = '0b8f4ac1-5a55-4a3e-8a36-7f2d7b6c1f01';
const read = (client: TestClient) => api.call('GET', `/public/leads/${ID}/assignment`, { client });

const askToken = (at: TestApi, client: TestClient) =>
  at.call('POST', '/oauth2/token', { token: null, body: grantOf(client) });

function quotaOf({ headers }: HttpAnswer) {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
}

describe('quota', () => {
  test('every response to an authenticated request states it: 201, 400, 404, 422', async () => {
    const client = await api.addClient({ dailyQuota: 10 });
    const leads = (body: unknown) => api.call('POST', '/public/leads', { client, body });
    const answers = [
      await leads({ leadPhones: ['0501112233'] }),
      await leads({}),
      await leads('{'),
      await leads({ leadPhones: 1 }),
      await read(client),
      await api.call('GET', `/public/leads/${ID}/assignment?x=1`, { client }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 400, 422, 404, 422]);
    expect(answers.map((answer) => quotaOf(answer)[1])).toEqual(['9', '8', '7', '6', '5', '4']);
    for (const answer of answers) {
      expect(quotaOf(answer)[0]).toBe('10');
      expect(answer.headers.get('retry-after')).toBeNull();
    }
  });

  test('once used up: 429 with all four headers, until the end of the UTC day', async () => {
    const client = await api.addClient({ dailyQuota: 2 });
    api.setNow(new Date('2031-05-01T23:59:30.500Z'));
    await read(client);
    expect(quotaOf(await read(client))).toEqual(['2', '0', '30']);
    const answer = await read(client);
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(quotaOf(answer)).toEqual(['2', '0', '30']);
    expect(answer.headers.get('retry-after')).toBe('30');
    api.setNow(new Date('2031-05-02T00:00:00.000Z'));
    expect(quotaOf(await read(client))).toEqual(['2', '1', '86400']);
  });

  test('of any length by default gives tokens', async () => {
    const variables = { DAILY_QUOTA: '9999999999' };
    const vast = await startTestApi({ databaseUrl: api.config.database.url, variables });
    try {
      const answer = await askToken(vast, vast.client);
      expect([answer.status, quotaOf(answer)[1]]).toEqual([200, '9999999998']);
    } finally {
      await vast.stop();
    }
  });

  test('counts successful token calls, and gives no token beyond it', async () => {
    const client = await api.addClient({ dailyQuota: 2 });
    expect(quotaOf(await askToken(api, client))[1]).toBe('1');
    expect(quotaOf(await read(client))[1]).toBe('0');
    const refused = await askToken(api, client);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('x-ratelimit-reset'));
  });

  test('a wrong token costs nobody anything', async () => {
    const client = await api.addClient({ dailyQuota: 5 });
    await api.call('GET', `/public/leads/${ID}/assignment`, { client, token: 'wrong' });
    expect(quotaOf(await read(client))[1]).toBe('4');
  });
});
