import { clientCommands, tokenCommands } from '../../cli/client.ts';
import { leadctlFor } from '../cli/leadctl.ts';
import { startTestApi, type TestClient } from '../support/api.ts';
import { waitForLockWaits } from '../support/lock-waits.ts';
import { sendRaw } from '../support/raw-http.ts';

const api = await startTestApi();
const leadctl = leadctlFor([clientCommands, tokenCommands], {
  DATABASE_URL: api.config.database.url,
});
const leadId = (await api.create()).id;
afterAll(() => api.stop());

/** Asks for a lead with header lines as they are, over a socket. */
async function ask(...lines: string[]) {
  const head = [`GET /v2/public/leads/${leadId}/assignment HTTP/1.1`, 'Host: x', ...lines];
  const { status, text } = await sendRaw(
    api.url,
    Buffer.from(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`, 'latin1'),
  );
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return code === undefined ? status : `${status} ${code}`;
}

const NOT_VALID = '401 UNAUTHORIZED';
const OTHERS = '404 NOT_FOUND';

/** Header lines made of the right token, and the response to them. */
const forms: [string, (token: string) => string[], number | string][] = [
  ['as issued', (token) => [`Authorization: Bearer ${token}`], 200],
  ['behind a lower-case scheme', (token) => [`authorization: bearer ${token}`], 200],
  ['behind an upper-case scheme', (token) => [`AUTHORIZATION: BEARER ${token}`], 200],
  ['behind more spaces', (token) => [`Authorization:   Bearer   ${token}  `], 200],
  ['behind a tab', (token) => [`Authorization: Bearer\t${token}`], NOT_VALID],
  ['behind a no-break space', (token) => [`Authorization: Bearer\xa0${token}`], NOT_VALID],
  ['behind no space', (token) => [`Authorization: Bearer${token}`], NOT_VALID],
  ['behind no scheme', (token) => [`Authorization: ${token}`], NOT_VALID],
  ['behind another scheme', (token) => [`Authorization: Token ${token}`], NOT_VALID],
  ['behind two schemes', (token) => [`Authorization: Bearer Bearer ${token}`], NOT_VALID],
  ['as a user of Basic', (token) => [`Authorization: Basic ${btoa(`${token}:`)}`], NOT_VALID],
  ['in quotes', (token) => [`Authorization: Bearer "${token}"`], NOT_VALID],
  [
    'with a space inside',
    (t) => [`Authorization: Bearer ${t.slice(0, 9)} ${t.slice(9)}`],
    NOT_VALID,
  ],
  ['with a comma', (token) => [`Authorization: Bearer ${token},`], NOT_VALID],
  ['twice in a list', (token) => [`Authorization: Bearer ${token}, Bearer ${token}`], NOT_VALID],
  ['with another parameter', (token) => [`Authorization: Bearer ${token}; x=y`], NOT_VALID],
  ['cut short', (token) => [`Authorization: Bearer ${token.slice(0, -1)}`], NOT_VALID],
  ['without its first letter', (token) => [`Authorization: Bearer ${token.slice(1)}`], NOT_VALID],
  ['half', (token) => [`Authorization: Bearer ${token.slice(0, 20)}`], NOT_VALID],
  ['longer', (token) => [`Authorization: Bearer ${token}A`], NOT_VALID],
  ['padded', (token) => [`Authorization: Bearer ${token}=`], NOT_VALID],
  ['in capitals', (token) => [`Authorization: Bearer ${token.toUpperCase()}`], NOT_VALID],
  ['backwards', (t) => [`Authorization: Bearer ${[...t].reverse().join('')}`], NOT_VALID],
  ['percent-encoded', (t) => [`Authorization: Bearer %${hex(t[0])}${t.slice(1)}`], NOT_VALID],
  ['in base64', (token) => [`Authorization: Bearer ${btoa(token)}`], NOT_VALID],
  ['empty', () => ['Authorization: Bearer '], NOT_VALID],
  ['absent', () => [], NOT_VALID],
  ['in another header', (token) => [`X-Authorization: Bearer ${token}`], NOT_VALID],
  ['in the proxy’s header', (token) => [`Proxy-Authorization: Bearer ${token}`], NOT_VALID],
  ['in a cookie', (token) => [`Cookie: access_token=${token}`], NOT_VALID],
  ['in two headers', (t) => Array<string>(2).fill(`Authorization: Bearer ${t}`), NOT_VALID],
  ['before a header with none', (t) => [`Authorization: Bearer ${t}`, 'Authorization:'], NOT_VALID],
  [
    'behind a header with a wrong one',
    (t) => ['Authorization: Bearer x', `Authorization: Bearer ${t}`],
    NOT_VALID,
  ],
  [
    'before a header with a wrong one',
    (t) => [`Authorization: Bearer ${t}`, 'authorization: Bearer x'],
    NOT_VALID,
  ],
];

const hex = (letter = '') => letter.charCodeAt(0).toString(16);

describe('a token', () => {
  test.each(forms)('%s', async (_what, lines, response) => {
    expect(await ask(...lines(api.client.token))).toBe(response);
  });

  test('with any one letter changed is not valid', async () => {
    const { token } = api.client;
    const changed = [...token].map((letter, at) => {
      return `${token.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    });
    const responses = await Promise.all(changed.map((t) => ask(`Authorization: Bearer ${t}`)));
    expect(new Set(responses)).toEqual(new Set([NOT_VALID]));
  });

  test('in the query is refused, not read', async () => {
    const { status } = await api.call(
      'GET',
      `/public/leads/${leadId}/assignment?access_token=${api.client.token}`,
      { token: null },
    );
    expect(status).toBe(401);
  });
});

const askWith = ({ token }: TestClient) => ask(`Authorization: Bearer ${token}`);

async function tokenOf({ clientId, clientSecret }: TestClient): Promise<string> {
  const body = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  };
  return (await api.call('POST', '/oauth2/token', { body, token: null })).body.access_token;
}

describe('a token that was valid', () => {
  test.each<[string, (client: TestClient) => Promise<unknown>, string]>([
    ['of another client', () => Promise.resolve(), OTHERS],
    ['revoked', ({ clientId }) => leadctl('token', 'revoke', clientId, '--yes'), NOT_VALID],
    ['rotated away', ({ clientId }) => leadctl('client', 'rotate', clientId, '--yes'), NOT_VALID],
    [
      'of a deactivated client',
      ({ clientId }) => leadctl('client', 'deactivate', clientId, '--yes'),
      NOT_VALID,
    ],
    [
      'of a client deactivated and activated again',
      async ({ clientId }) => {
        await leadctl('client', 'deactivate', clientId, '--yes');
        await leadctl('client', 'activate', clientId);
      },
      NOT_VALID,
    ],
    [
      'of a client deactivated twice and activated again',
      async ({ clientId }) => {
        await leadctl('client', 'deactivate', clientId, '--yes');
        await leadctl('client', 'deactivate', clientId, '--yes');
        await leadctl('client', 'activate', clientId);
      },
      NOT_VALID,
    ],
  ])('%s', async (_what, end, response) => {
    const client = await api.addClient();
    expect(await askWith(client)).toBe(OTHERS);
    await end(client);
    expect(await askWith(client)).toBe(response);
  });

  test('is replaced by a new one after activation', async () => {
    const client = await api.addClient();
    await leadctl('client', 'deactivate', client.clientId, '--yes');
    await leadctl('client', 'activate', client.clientId);
    expect(await ask(`Authorization: Bearer ${await tokenOf(client)}`)).toBe(OTHERS);
  });

  test('leaves other clients’ tokens valid', async () => {
    const [client, other] = [await api.addClient(), await api.addClient()];
    await leadctl('client', 'deactivate', client.clientId, '--yes');
    expect(await askWith(other)).toBe(OTHERS);
  });
});

test('a deactivation misses no token that is being issued', async () => {
  const client = await api.addClient();
  let issued = Promise.resolve('');
  await api.database.transaction(async (deactivation) => {
    await deactivation.query(`update oauth_clients set active = false where id = $1`, [client.id]);
    issued = tokenOf(client);
    await waitForLockWaits(api.database);
  });
  expect(await issued).toBeUndefined();
});
