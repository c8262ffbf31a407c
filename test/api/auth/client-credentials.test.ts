import {
  allowInsecureRequests,
  clientCredentialsGrant,
  ClientSecretBasic,
  Configuration,
} from 'openid-client';
import { startTestApi, type TestClient } from '../../support/api.ts';
import { sendRaw } from '../../support/raw-http.ts';

const api = await startTestApi();
afterAll(() => api.stop());

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const GRANT = 'grant_type=client_credentials';

function askToken(authorization: string, body: string | object = GRANT) {
  const type: Record<string, string> = typeof body === 'string' ? FORM : {};
  return api.call('POST', '/oauth2/token', {
    token: null,
    body,
    headers: { ...type, authorization },
  });
}

const WRONG = 'The client credentials are not valid.';

const halves = ({ clientId, clientSecret }: TestClient) => `${clientId}:${clientSecret}`;
const basic = (client: TestClient) => `Basic ${btoa(halves(client))}`;
const encodeEach = (text: string) =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

interface Sent {
  header: string;
  body?: string | object;
}
type Case = [string, (client: TestClient) => Sent];

describe('Authorization: Basic gives a token', () => {
  const cases: Case[] = [
    ['as simple-oauth2, authlib and Go send it', (c) => ({ header: basic(c) })],
    ['with a JSON body', (c) => ({ header: basic(c), body: { grant_type: 'client_credentials' } })],
    [
      'with every letter of both halves percent-encoded',
      (c) => ({
        header: `Basic ${btoa(`${encodeEach(c.clientId)}:${encodeEach(c.clientSecret)}`)}`,
      }),
    ],
    ['behind a lower-case scheme', (c) => ({ header: `basic ${btoa(halves(c))}` })],
    [
      'with the same client id in the body, as requests-oauthlib can send it',
      (c) => ({ header: basic(c), body: `${GRANT}&client_id=${c.clientId}` }),
    ],
    [
      'with empty fields in the body',
      (c) => ({ header: basic(c), body: `${GRANT}&client_id=&client_secret=` }),
    ],
  ];

  test.each(cases)('%s', async (_what, make) => {
    const { header, body } = make(api.client);
    const { status, body: issued } = await askToken(header, body);
    expect({ status, type: issued.token_type }).toEqual({ status: 200, type: 'Bearer' });
  });

  test('to openid-client, by its way of encoding', async () => {
    const { clientId, clientSecret } = api.client;
    const server = { issuer: api.url, token_endpoint: `${api.url}/oauth2/token` };
    for (const method of [undefined, ClientSecretBasic(clientSecret)]) {
      const configuration = new Configuration(server, clientId, clientSecret, method);
      allowInsecureRequests(configuration);
      const { access_token: token } = await clientCredentialsGrant(configuration);
      expect((await api.call('GET', '/public/project-statuses', { token })).status).toBe(200);
    }
  });
});

describe('Authorization: Basic is refused', () => {
  const sent = (text: string): Sent => ({ header: `Basic ${btoa(text)}` });
  const both =
    'The credentials are in the Authorization header and in the body: send them in one place.';
  const malformed =
    'The Authorization header must be `Basic` and the base64 of `<client_id>:<client_secret>`.';
  const cases: [...Case, message?: string][] = [
    ['with a wrong secret', (c) => sent(`${c.clientId}:x`)],
    [
      'with a line feed behind the secret',
      (c) => sent(`${halves(c)}\n`),
      `${WRONG} White space was sent before or after the client id or the secret.`,
    ],
    ['without a colon', (c) => sent(c.clientId), malformed],
    ['with a second colon', (c) => sent(`${halves(c)}:`)],
    ['with a broken percent sign', (c) => sent(`${halves(c)}%`), malformed],
    ['with an encoded NUL', (c) => sent(`%00${halves(c)}`), malformed],
    ['without anything', () => ({ header: 'Basic' }), malformed],
    ['with another padding', (c) => ({ header: `${basic(c).replace(/=*$/, '')}===` }), malformed],
    [
      'without a grant',
      (c) => ({ header: basic(c), body: '' }),
      'grant_type is missing: send client_credentials.',
    ],
    ['not in base64', (c) => ({ header: `Basic ${halves(c)}` }), malformed],
    [
      'with the secret in the body too',
      (c) => ({ header: basic(c), body: `${GRANT}&client_secret=${c.clientSecret}` }),
      both,
    ],
    [
      'with another client in the body',
      (c) => ({ header: basic(c), body: `${GRANT}&client_id=other` }),
      'client_id is not that of the Authorization header.',
    ],
    [
      'when it is wrong, whatever the body holds',
      (c) => ({
        header: 'Basic eDp5',
        body: `${GRANT}&client_id=${c.clientId}&client_secret=${c.clientSecret}`,
      }),
      both,
    ],
  ];

  test.each(cases)('%s', async (_what, make, message = WRONG) => {
    const { header, body } = make(api.client);
    const answer = await askToken(header, body);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'UNAUTHORIZED', message });
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="lead-intake"');
  });

  test('in two headers, of which a proxy may have checked the other one', async () => {
    const line = `Authorization: ${basic(api.client)}`;
    const ask = (...lines: string[]) => {
      const head = ['POST /v2/oauth2/token HTTP/1.1', 'Host: x', ...lines, 'Connection: close'];
      const type = `Content-Type: ${FORM['content-type']}\r\nContent-Length: ${GRANT.length}`;
      return sendRaw(api.url, `${head.join('\r\n')}\r\n${type}\r\n\r\n${GRANT}`);
    };
    expect((await ask(line)).status).toBe(200);
    for (const other of [line, 'Authorization: Bearer x', 'Authorization:']) {
      expect(await ask(line, other)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="lead-intake"' },
      });
    }
  });
});

test('another scheme beside credentials in the body is ignored', async () => {
  const { clientId, clientSecret } = api.client;
  const body = `${GRANT}&client_id=${clientId}&client_secret=${clientSecret}`;
  expect((await askToken('Bearer old', body)).status).toBe(200);
  const answer = await askToken('Bearer old');
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Basic realm="lead-intake"');
});
