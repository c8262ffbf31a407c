import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { createCommand } from '../../dev/receiver/main.ts';
import { startReceiver, type Receiver } from '../../dev/receiver/server.ts';
import { freePort } from '../../dev/ports.ts';
import { waitUntil } from '../../dev/wait-until.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = JSON.stringify({ type: 'lead.created', timestamp: '2026-11-21T00:00:00Z', data: {} });

let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver({ secret: SECRET });
});
afterEach(() => receiver.stop());

interface Call {
  id?: string;
  secret?: string;
  path?: string;
  base?: string;
}

function send({
  id = 'evt_1',
  secret = SECRET,
  path = '/hooks/shop',
  base = receiver.url,
}: Call = {}) {
  const now = new Date();
  return fetch(`${base}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, BODY),
    },
    body: BODY,
    redirect: 'manual',
  });
}

describe('the webhook receiver', () => {
  test('records and verifies what arrives, and counts the tries of one event', async () => {
    await send();
    await send();
    expect(receiver.received()).toMatchObject([
      { path: '/hooks/shop', id: 'evt_1', attempt: 2, verdict: 'verified', answered: '200' },
      { attempt: 1, verdict: 'verified', raw: BODY, body: { type: 'lead.created' } },
    ]);
  });

  test('reports a wrong signature', async () => {
    await send({ secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' });
    expect(receiver.received()).toMatchObject([{ verdict: 'refused' }]);
  });

  test('verifies nothing without a secret, until one is set for the path', async () => {
    await receiver.stop();
    receiver = await startReceiver();
    await send();
    const input = JSON.stringify({ secret: SECRET, path: '/hooks/shop' });
    await fetch(`${receiver.url}/secret`, { method: 'PUT', body: input });
    await send();
    await send({ path: '/hooks/other' });
    const verdicts = receiver.received().map((call) => call.verdict);
    expect(verdicts.reverse()).toEqual(['unchecked', 'verified', 'unchecked']);
  });

  test('shows it as JSON and as a page, where what arrived is text and nothing else', async () => {
    await send({ id: '<script>' });
    expect(await (await fetch(`${receiver.url}/received`)).json()).toHaveLength(1);
    const page = await (await fetch(receiver.url)).text();
    expect(page).toContain('Webhooks received: 1');
    expect(page).toContain('lead.created');
    expect(page).not.toContain('<script>');
  });

  test('keeps the newest five thousand', async () => {
    for (let number = 0; number < 5050; number += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => send({ id: `evt_${number + index}` })),
      );
    expect(receiver.received()).toHaveLength(5000);
  });
});

describe('a receiver with a behaviour', () => {
  test('fails so many times with the status asked for', async () => {
    const input = JSON.stringify({ mode: 'fail', times: 2, status: 503 });
    await fetch(`${receiver.url}/behaviour`, { method: 'POST', body: input });
    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await send()).status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  test('redirects to the address asked for', async () => {
    receiver.setBehaviour({ mode: 'redirect', location: 'http://a.example/', times: 1 });
    const { status, headers } = await send();
    expect([status, headers.get('location')]).toEqual([302, 'http://a.example/']);
  });

  test('can behave so on one path alone', async () => {
    receiver.setBehaviour({ mode: 'fail', path: '/hooks/bad' });
    expect((await send({ path: '/hooks/bad' })).status).toBe(500);
    expect((await send({ path: '/hooks/good' })).status).toBe(200);
  });

  test('refuses an unknown behaviour', async () => {
    const odd = { method: 'POST', body: '{"mode":"odd"}' };
    expect((await fetch(`${receiver.url}/behaviour`, odd)).status).toBe(400);
  });
});

describe('the flags of npm run receiver', () => {
  const parse = (flags: readonly string[]) => {
    const command = createCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    return command.parse(flags, { from: 'user' }).opts();
  };

  test('say how it behaves', () => {
    const flags = ['--mode', 'throttle', '--times', '2', '--retry-after', '7', '--secret', SECRET];
    const read = { port: 4000, secret: SECRET, mode: 'throttle', times: 2, retryAfter: 7 };
    expect(parse(flags)).toEqual(read);
  });

  test.each([
    [['--mode', 'odd'], 'Allowed choices are ok, fail,'],
    [['--port', '70000'], 'Expected a whole number from 0 to 65535.'],
    [['--secret', 'shop'], 'Expected whsec_ and base64.'],
    [['--times', '0'], 'Expected a whole number of at least 1.'],
    [['--delay-ms', 'long'], 'Expected a whole number of at least 0.'],
    [['--shop'], "unknown option '--shop'"],
  ])('are refused: %j', (flags, issue) => {
    expect(() => parse(flags)).toThrow(issue);
  });
});

test('npm run receiver takes its behaviour from flags and prints what arrives', async () => {
  const script = fileURLToPath(new URL('../../dev/receiver/main.ts', import.meta.url));
  const port = await freePort();
  const flags = ['--port', String(port), '--secret', SECRET, '--mode', 'fail', '--times', '1'];
  const child = spawn(process.execPath, [script, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const base = `http://127.0.0.1:${port}`;
  const first = await waitUntil(() => send({ base }), { what: 'The receiver' });
  const second = await send({ base });
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('close', resolve)); // all that it printed is read
  expect([first.status, second.status]).toEqual([500, 200]);
  expect(printed).toMatch(/try 1 {2}signature verified {2}answered 500[\s\S]*try 2/);
});
