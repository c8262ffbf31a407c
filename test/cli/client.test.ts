import { agentCommands } from '../../cli/agent.ts';
import { clientCommands, tokenCommands } from '../../cli/client.ts';
import { makeAgent } from '../support/routing.ts';
import { startLeadctl } from './leadctl.ts';

const { api, leadctl } = await startLeadctl(clientCommands, tokenCommands, agentCommands);

interface Credentials {
  clientId: string;
  clientSecret: string;
}

async function makeClient(...more: string[]): Promise<Credentials> {
  return (await leadctl('client', 'create', '--name', 'Portal', '--json', ...more)).json;
}

async function askToken({ clientId, clientSecret }: Credentials) {
  const body = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  };
  return api.call('POST', '/oauth2/token', { body, token: null });
}

async function askWith(token: string): Promise<number> {
  const path = '/public/leads/00000000-0000-4000-8000-000000000000/assignment';
  return (await api.call('GET', path, { token })).status;
}

const ACCEPTED = 404;
const REFUSED = 401;

describe('leadctl client create', () => {
  test.each([
    ['a blank name', ['--name', ' ']],
    ['an empty public id', ['--name', 'Shop', '--client-id', '']],
    ['a public id with a space', ['--name', 'Shop', '--client-id', 'shop one']],
    ['a scope that is none', ['--name', 'Shop', '--scope', 'leads"all']],
    ['a quota that is no number', ['--name', 'Shop', '--quota', 'many']],
  ])('refuses %s', async (_what, options) => {
    await expect(leadctl('client', 'create', ...options)).rejects.toThrow('Expected');
  });

  test('stores scopes with one space between them', async () => {
    const { json } = await leadctl(
      ...['client', 'create', '--name', 'Shop', '--scope', ' leads:all  other ', '--json'],
    );
    expect((await askToken(json)).body.scope).toBe('leads:all other');
  });

  test('warns of a scope that grants nothing here', async () => {
    const create = (scope: string) =>
      leadctl('client', 'create', '--name', 'Shop', '--scope', scope, '--json');
    expect((await create('lead:all')).note).toBe(
      'Warning: lead:all grants nothing here. Scopes of the service: leads:all.\n',
    );
    expect((await create('leads:all')).note).toBe('');
  });

  test('creates no second client with the same public id', async () => {
    await makeClient('--client-id', 'twin');
    await expect(makeClient('--client-id', 'twin')).rejects.toThrow(
      'There is a client twin already; leadctl client rotate gives it a new secret.',
    );
  });
});

describe('leadctl client rotate', () => {
  test('makes the old secret and the live tokens fail at once', async () => {
    const old = await makeClient();
    const { body } = await askToken(old);
    expect(await askWith(body.access_token)).toBe(ACCEPTED);
    const { json } = await leadctl('client', 'rotate', old.clientId, '--yes', '--json');
    expect(json.revokedTokens).toBe(1);
    expect((await askToken(old)).status).toBe(REFUSED);
    expect(await askWith(body.access_token)).toBe(REFUSED);
    expect((await askToken(json)).status).toBe(200);
  });

  test('leaves the tokens valid with --keep-tokens', async () => {
    const old = await makeClient();
    const { body } = await askToken(old);
    await leadctl('client', 'rotate', old.clientId, '--keep-tokens', '--yes');
    expect((await askToken(old)).status).toBe(REFUSED);
    expect(await askWith(body.access_token)).toBe(ACCEPTED);
  });
});

describe('leadctl client deactivate and activate', () => {
  test('stop credentials and tokens at once, and restore the credentials alone', async () => {
    const client = await makeClient();
    const { body } = await askToken(client);
    const deactivated = await leadctl('client', 'deactivate', client.clientId, '--yes');
    expect(deactivated.text).toContain('wait until leadctl client activate: 0 so far');
    expect(await askWith(body.access_token)).toBe(REFUSED);
    expect((await askToken(client)).status).toBe(REFUSED);
    const again = await leadctl('client', 'deactivate', client.clientId, '--yes');
    expect(again.text).toContain('was deactivated already');
    await leadctl('client', 'activate', client.clientId);
    expect(await askWith(body.access_token)).toBe(REFUSED);
    const renewed = await askToken(client);
    expect(await askWith(renewed.body.access_token)).toBe(ACCEPTED);
  });
});

describe('leadctl client quota', () => {
  test('sets, shows and resets a quota, effective at once', async () => {
    const client = await makeClient();
    const { body } = await askToken(client);
    await leadctl('client', 'quota', client.clientId, '1');
    expect(await askWith(body.access_token)).toBe(429);
    const byId = await leadctl('client', 'quota', client.clientId, '--json');
    const [{ name } = { name: '' }] = await api.database.query<{ name: string }>(
      `update oauth_clients set name = 'Client ' || client_id where client_id = $1 returning name`,
      [client.clientId],
    );
    const shown = await leadctl('client', 'quota', name.toLowerCase(), '--json');
    expect(shown.json).toEqual(byId.json);
    expect(shown.json).toMatchObject({ dailyQuota: 1, isDefault: false });
    await leadctl('client', 'quota', client.clientId, 'default');
    expect(await askWith(body.access_token)).toBe(ACCEPTED);
  });

  test('refuses a quota that is no number, and an unknown client', async () => {
    const { clientId } = await makeClient();
    const quota = (...words: string[]) => leadctl('client', 'quota', ...words);
    await expect(quota(clientId, 'many')).rejects.toThrow('whole number');
    expect((await quota(clientId.slice(0, 8), '--json')).json).toMatchObject({ clientId });
    await expect(quota(clientId.slice(0, 7))).rejects.toThrow('not found');
  });
});

describe('leadctl token revoke', () => {
  test('revokes the tokens of one client and leaves its secret valid', async () => {
    const [one, other] = [await makeClient(), await makeClient()];
    const tokens = [await askToken(one), await askToken(other)].map(
      ({ body }) => body.access_token,
    );
    await leadctl('token', 'revoke', one.clientId, '--yes');
    expect(await Promise.all(tokens.map(askWith))).toEqual([REFUSED, ACCEPTED]);
    expect((await askToken(one)).status).toBe(200);
  });
});

describe('leadctl client list', () => {
  test('shows the requests of each client today and never a secret', async () => {
    const client = await makeClient('--client-id', 'portal-a', '--scope', 'leads:all');
    await askToken(client);
    const { text } = await leadctl('client', 'list');
    expect(text).toMatch(/portal-a.*leads:all.*default/);
    expect(text).not.toContain(client.clientSecret);
  });
});

describe('leadctl agent', () => {
  test('pauses and resumes an agent, and reports when there is nothing to do', async () => {
    const named = { name: 'Sara H', slug: 'sara-h' };
    const { email } = await makeAgent(api.database, { ...named, daily_cap: 10 });
    const agent = async (...words: string[]) => (await leadctl('agent', ...words)).text;
    expect(await agent('pause', email)).toContain('Sara H is paused.');
    expect(await agent('pause', email)).toContain('paused already');
    expect(JSON.parse(await agent('list', '--json'))).toMatchObject([
      { ...named, dailyCap: 10, assignedToday: 0, pausedAt: expect.any(String) },
    ]);
    expect(await agent('list')).toContain('0 of 10');
    expect(await agent('resume', email)).toContain('is taking leads');
    expect(await agent('list')).toContain('takes leads');
  });
});
