import { randomUUID } from 'node:crypto';
import { startRegistry, type Registry } from '../../dev/registry.ts';

let registry: Registry;

beforeEach(async () => {
  registry = await startRegistry();
});
afterEach(() => registry.stop());

async function askForToken(change: Record<string, string> = {}): Promise<Response> {
  const form = {
    grant_type: 'client_credentials',
    client_id: registry.clientId,
    client_secret: registry.clientSecret,
    scope: 'apioauth',
    ...change,
  };
  return fetch(registry.tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
}

async function token(): Promise<string> {
  const response = (await (await askForToken()).json()) as { access_token: string };
  return response.access_token;
}

interface CheckCall {
  numbers: string[];
  count?: unknown;
  headers?: Record<string, string>;
  bearer?: string;
}

async function check({ numbers, count, headers, bearer }: CheckCall): Promise<Response> {
  return fetch(registry.checkUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer ?? (await token())}`,
      clientID: registry.clientId,
      'X-TIB-TransactionID': randomUUID(),
      'X-TIB-RequestedSystem': 'LEADS',
      ...headers,
    },
    body: JSON.stringify({ accountNumber: numbers, count: count ?? String(numbers.length) }),
  });
}

describe('the simulated registry', () => {
  test('answers by the last digit, never in the order asked', async () => {
    const numbers = ['0501234560', '0501234563', '0501234564', '0501234567', '0501234569'];
    const response = await check({ numbers, headers: { 'X-TIB-TransactionID': 'one' } });
    expect(await response.json()).toEqual({
      transactionId: 'one',
      details: [
        {
          accountNumber: '0501234567',
          dncrStatus: null,
          transactionStatus: 'Account Number – Not Found',
        },
        { accountNumber: '0501234564', dncrStatus: 'TRUE', transactionStatus: null },
        { accountNumber: '0501234563', dncrStatus: 'FALSE', transactionStatus: null },
        { accountNumber: '0501234560', dncrStatus: 'FALSE', transactionStatus: null },
      ],
      ackMessage: { status: 'SUCCESS' },
    });
  });

  test('gives a token that says how long it lives', async () => {
    const response = await (await askForToken()).json();
    expect(response).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3599,
    });
  });

  test.each<Record<string, string>>([
    { client_secret: 'wrong' },
    { scope: 'other' },
    { grant_type: 'password' },
  ])('gives no token for %j', async (change) => {
    expect((await askForToken(change)).status).toBe(401);
  });

  test('refuses a token that it did not give, and one that has expired', async () => {
    expect((await check({ numbers: ['0501234560'], bearer: 'made-up' })).status).toBe(401);
    await registry.stop();
    registry = await startRegistry({ tokenLifetimeSeconds: 0 });
    expect((await check({ numbers: ['0501234560'] })).status).toBe(401);
  });

  test.each<[string, Partial<CheckCall>]>([
    ['a count that is wrong', { count: '2' }],
    ['a count that is a number', { count: 1 }],
    ['a number that is not in local form', { numbers: ['+971501234560'] }],
    ['no numbers', { numbers: [] }],
    ['another client', { headers: { clientID: 'other' } }],
    ['no transaction id', { headers: { 'X-TIB-TransactionID': '' } }],
    ['no requesting system', { headers: { 'X-TIB-RequestedSystem': '' } }],
  ])('refuses %s with TIB-002', async (_, change) => {
    const response = await check({ numbers: ['0501234560'], ...change });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      ackMessage: { status: 'FAILURE', errorCode: 'TIB-002' },
    });
  });

  test('refuses a transaction id that was used before', async () => {
    const headers = { 'X-TIB-TransactionID': 'again' };
    expect((await check({ numbers: ['0501234560'], headers })).status).toBe(200);
    expect((await check({ numbers: ['0501234560'], headers })).status).toBe(400);
  });

  test('shows what it was asked', async () => {
    await check({ numbers: ['0501234560', '0501234569'] });
    await check({ numbers: ['0501234560'] });
    const shown = await (await fetch(`${registry.url}/calls`)).json();
    expect(shown).toEqual(registry.calls());
    expect(shown).toMatchObject({
      tokens: 2,
      checks: 2,
      numbers: { '0501234560': 2, '0501234569': 1 },
      transactionIds: [expect.any(String), expect.any(String)],
    });
  });
});

describe('the fault modes of the simulated registry', () => {
  const numbers = ['0501234560'];

  test('oversize: an endless body', async () => {
    registry.setFaultMode({ mode: 'oversize' });
    const response = await check({ numbers });
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > 10_000_000) break;
    }
    expect(bytes).toBeGreaterThan(10_000_000);
  });

  test('wear off after so many times, and are changed over HTTP', async () => {
    const input = JSON.stringify({ mode: 'fail', times: 2 });
    await fetch(`${registry.url}/fault-mode`, { method: 'POST', body: input });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await check({ numbers })).status);
    expect(statuses).toEqual([500, 500, 200]);
  });
});
