import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { startFailingServer } from '../../support/failing-server.ts';
import { newFolder } from '../../support/folder.ts';
import { newPhone, startIntake } from '../../support/api.ts';
import { runProgram, type Ended } from '../../support/program.ts';

/** The code of docs/integration.md, run as a reader would run it. */
const api = await startIntake();
const front = await startFailingServer(api.url);
const folder = newFolder();
const file = fileURLToPath(new URL('../../../docs/integration.md', import.meta.url));
const guide = await readFile(file, 'utf8');
afterAll(async () => {
  await front.stop();
  await api.stop();
});
beforeEach(() => front.clear());

function blockIn(language: string): string {
  const blocks = [...guide.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(
    ([, one]) => one === language,
  );
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[2] ?? '';
}

/**
 * With the client's timeout of 30 seconds cut to five, for what waits as long: a request that is not answered, and the
 * look for a lead whose response was lost. Elsewhere a busy machine may be slow.
 */
function quickBlockIn(language: string): string {
  const code = blockIn(language);
  const quick = code.replaceAll(
    /(?<=(?:TIMEOUT_MS|TIMEOUT_SECONDS) = |--max-time )30(?=_000)?/g,
    '5',
  );
  expect(quick).not.toBe(code);
  return quick;
}

const WEBHOOK = {
  id: 'evt_1',
  body: '{"type":"lead.created"}',
  secret: `whsec_${'c2VjcmV0'.repeat(4)}`,
};

function webhookFacts(): { headers: Record<string, string>; body: string; secret: string } {
  const at = new Date();
  const signature = new Webhook(WEBHOOK.secret).sign(WEBHOOK.id, at, WEBHOOK.body);
  const headers = {
    'Webhook-Id': WEBHOOK.id,
    'WEBHOOK-TIMESTAMP': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,b3RoZXI= ${signature}`,
  };
  return { headers, body: WEBHOOK.body, secret: WEBHOOK.secret };
}

async function attempt(command: string, fileName: string, code: string): Promise<Ended> {
  const file = path.join(folder, fileName);
  await writeFile(file, code);
  const env = {
    PATH: process.env.PATH, // eslint-disable-line no-restricted-properties -- to find the programs
    BASE_URL: front.url,
    CLIENT_ID: api.client.clientId,
    CLIENT_SECRET: api.client.clientSecret,
  };
  return runProgram(command, [file], { env });
}

async function run(command: string, fileName: string, code: string): Promise<string> {
  const ran = await attempt(command, fileName, code);
  if (ran.code !== 0) throw new Error(`${ran.stdout}\n${ran.stderr}`);
  return ran.stdout;
}

describe('the integration guide', () => {
  test('its curl commands make a lead', async () => {
    const said = await run('bash', 'first.sh', `set -eu\n${blockIn('bash')}`);
    expect(JSON.parse(said)).toMatchObject({ status: 'pending', agent: null });
  });

  test('its TypeScript makes a lead and knows our webhooks', async () => {
    const { headers, body, secret } = webhookFacts();
    const check = `
      const given = ${JSON.stringify([headers, body, secret])} as [Record<string, string>, string, string];
      console.log(isFromLeadService(...given), isFromLeadService(given[0], 'x', given[2]));`;
    const said = await run(process.execPath, 'lead.mts', `${blockIn('ts')}${check}`);
    expect(said).toMatch(/^created [\w-]{36}/);
    expect(said).toContain(`status: 'pending'`);
    expect(said.trim().split('\n').at(-1)).toBe('true false');
  });

  test('its Python makes a lead and knows our webhooks', async () => {
    const { headers, body, secret } = webhookFacts();
    const check = `
headers, secret = json.loads('''${JSON.stringify(headers)}'''), '${secret}'
odd = [{'Webhook-Timestamp': '²'}, {'Webhook-Timestamp': '9' * 5000}, {'webhook-signature': 'v1,é'}]
print(*(is_from_lead_service({**headers, **one}, b'${body}', secret) for one in odd))
print(is_from_lead_service(headers, b'${body}', secret), is_from_lead_service(headers, b'x', secret))`;
    const said = await run('python3', 'lead.py', `${blockIn('python')}${check}`);
    expect(said).toMatch(/^created [\w-]{36}/);
    expect(said.trim().split('\n').slice(-2)).toEqual(['False False False', 'True False']);
  });
});

const TOKEN = 'POST /oauth2/token';
const CREATE = 'POST /public/leads';

const proxyError = (status: number, retryAfter = '0') => ({
  status,
  body: '<html>An error of the proxy</html>',
  headers: { 'Content-Type': 'text/html', 'Retry-After': retryAfter },
});

describe.each([
  ['TypeScript', 'ts', process.execPath, 'lead.mts'],
  ['Python', 'python', 'python3', 'lead.py'],
] as const)('its %s, before a server that fails', (_name, language, command, file) => {
  const sample = (code = blockIn(language)) =>
    attempt(command, file, code.replace(/\+9715\d+/, newPhone()));

  test('retries a token and a create, and keeps the token', async () => {
    front.fail('/oauth2/token', 'hang', proxyError(408));
    front.fail('/public/leads', { status: 401, body: '' }, proxyError(429));
    const { code, stdout } = await sample(quickBlockIn(language));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^created /)]);
    const read = expect.stringMatching(/^GET .*assignment$/);
    expect(front.requests).toEqual([TOKEN, TOKEN, TOKEN, CREATE, TOKEN, CREATE, CREATE, read]);
  });

  test('waits longer where Retry-After is a date, and no second', async () => {
    front.fail('/public/leads', proxyError(503, 'Wed, 25 Nov 2026 10:00:00 GMT'));
    expect(await sample()).toMatchObject({ code: 0 });
  });

  test.each([
    [CREATE, 502, 5],
    [CREATE, 400, 1],
    [TOKEN, 401, 1],
  ])(
    'gives up on %s with %i after %i requests, and names the status',
    async (path, status, count) => {
      front.fail(path.replace('POST ', ''), ...Array(5).fill(proxyError(status)));
      const { code, stderr } = await sample();
      expect(code).not.toBe(0);
      expect(stderr).toContain(`${status} <html>`);
      expect(front.requests.filter((one) => one === path)).toHaveLength(count);
    },
  );

  test('ends at once where the quota of the day is used up', async () => {
    front.fail('/public/leads', proxyError(429, '40000'));
    const { stderr } = await sample();
    expect(stderr).toContain('out of quota for today');
    expect(front.requests).toEqual([TOKEN, CREATE]);
  });

  const [create, say, id, now] =
    language === 'ts'
      ? ['await createPortalLead', 'console.log', '.id', 'new Date()']
      : ['create_portal_lead', 'print', '["id"]', 'time.time()'];
  /** The sample sends this enquiry of a portal, and then its own. */
  const sendOfPortal = (enquiry: object, ...saved: string[]) => {
    const sent = [JSON.stringify(enquiry), ...saved].join();
    const print = `${say}("first", (${create}(${sent}))${id})`;
    return attempt(
      command,
      file,
      quickBlockIn(language).replace(/^lead = |^const lead = /m, (start) => `${print}\n${start}`),
    );
  };

  test('makes one lead of a portal enquiry that failed and whose response was lost', async () => {
    const enquiry = { source: 'Property Portal A', integrationRef: `portal-${language}` };
    const older = await api.create({ ...enquiry, leadPhones: [newPhone()] });
    await api.call('GET', '/public/events');
    await api.database.query(`update event_feed set at = at - interval '1 hour'`);
    front.fail('/public/leads', proxyError(502), 'lost');
    const { stdout } = await sendOfPortal({ ...enquiry, leadPhones: [newPhone()] });
    const [, first] = /^first (.*)$/m.exec(stdout) ?? [];
    const created = await api.database.query(
      `select id from leads where integration_ref = $1 order by created_at`,
      [enquiry.integrationRef],
    );
    expect(created).toEqual([{ id: older.id }, { id: first }]);
  });

  test('looks first where a portal enquiry is sent again after an error', async () => {
    const integrationRef = `portal-again-${language}`;
    const enquiry = { source: 'Property Portal A', integrationRef, leadPhones: [newPhone()] };
    const lead = await api.create(enquiry);
    const { stdout } = await sendOfPortal(enquiry, now);
    expect(stdout).toContain(`first ${lead.id}\n`);
    expect(front.requests.filter((one) => one === CREATE)).toHaveLength(1);
  });

  test('sends no portal enquiry with a blank integrationRef', async () => {
    const { code, stderr } = await sendOfPortal({ leadPhones: [newPhone()], integrationRef: ' ' });
    expect(code).not.toBe(0);
    expect(stderr).toContain('integrationRef: must be a value of the enquiry');
    expect(front.requests).toEqual([]);
  });
});

test('its curl commands end in time, and name the status of an error that is no JSON', async () => {
  const errorsOf = async (code: string) =>
    (await attempt('bash', 'first.sh', `set -eu -o pipefail\n${code}`)).stderr;
  front.fail('/oauth2/token', 'hang');
  expect(await errorsOf(quickBlockIn('bash'))).toContain('timed out');
  front.fail('/public/leads', proxyError(502));
  expect(await errorsOf(blockIn('bash'))).toContain('502');
  expect(front.requests).toEqual([TOKEN, TOKEN, CREATE]);
});
