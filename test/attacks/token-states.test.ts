import { clientCommands } from '../../cli/client.ts';
import { leadctlFor } from '../cli/leadctl.ts';
import { grantOf, startTestApi, type TestClient } from '../support/api.ts';
import { waitForLockWaits } from '../support/lock-waits.ts';
import { sendRaw } from '../support/raw-http.ts';

const api = await startTestApi();
const leadctl = leadctlFor([clientCommands], {
  DATABASE_URL: api.config.database.url,
});
const leadId = (await api.create()).id;
afterAll(() => api.stop());

/** Asks for a lead with header lines as they are, over a socket. */
async function ask(...lines: string[]) {
  const head = [`GET /v2/public/leads/${leadId}/assignment HTTP/1.1`, 'Host: x', ...lines];
  const { status, body } = await sendRaw(
    api.url,
    `${head.join('\r\n')}\r\nConnection: close\r\n\r\n`,
  );
  const code = /"code":"(\w+)"/.exec(body)?.[1];
  return code === undefined ? status : `${status} ${code}`;
}

const NOT_VALID = '401 UNAUTHORIZED';
const OTHERS = '404 NOT_FOUND';

const forms: [string, (token: string) => string[], number | string][] = [
  ['as issued', (token) => [`Authorization: Bearer ${token}`], 200],
  ['behind a lower-case scheme', (token) => [`authorization: bearer ${token}`], 200],
  ['behind more spaces', (token) => [`Authorization:   Bearer   ${token}  `], 200],
  ['behind a tab', (token) => [`Authorization: Bearer\t${token}`], NOT_VALID],
  ['behind another scheme', (token) => [`Authorization: Token ${token}`], NOT_VALID],
  ['behind no space', (token) => [`Authorization: Bearer${token}`], NOT_VALID],
  ['behind two schemes', (token) => [`Authorization: Bearer Bearer ${token}`], NOT_VALID],
  ['in quotes', (token) => [`Authorization: Bearer "${token}"`], NOT_VALID],
  ['with a comma', (token) => [`Authorization: Bearer ${token},`], NOT_VALID],
  ['twice in a list', (token) => [`Authorization: Bearer ${token}, Bearer ${token}`], NOT_VALID],
  ['cut short', (token) => [`Authorization: Bearer ${token.slice(0, -1)}`], NOT_VALID],
  ['longer', (token) => [`Authorization: Bearer ${token}A`], NOT_VALID],
  ['absent', () => [], NOT_VALID],
  ['in a cookie', (token) => [`Cookie: access_token=${token}`], NOT_VALID],
  ['in two headers', (t) => Array<string>(2).fill(`Authorization: Bearer ${t}`), NOT_VALID],
  [
    'behind a header with a wrong one',
    (t) => ['Authorization: Bearer x', `Authorization: Bearer ${t}`],
    NOT_VALID,
  ],
];

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
});

const askWith = ({ token }: TestClient) => ask(`Authorization: Bearer ${token}`);

async function tokenOf(client: TestClient): Promise<string> {
  const { body } = await api.call('POST', '/oauth2/token', { body: grantOf(client), token: null });
  return body.access_token;
}

test('a token of a client that is deactivated twice and activated again stays invalid', async () => {
  const client = await api.addClient();
  expect(await askWith(client)).toBe(OTHERS);
  for (const words of [['deactivate', '--yes'], ['deactivate', '--yes'], ['activate']])
    await leadctl('client', ...words, client.clientId);
  expect(await askWith(client)).toBe(NOT_VALID);
  expect(await tokenOf(client)).toBeDefined();
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
