import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import '../support/quiet-temporal.ts';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker';
import { webhookCommands } from '../../cli/webhook.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { taskQueues } from '../../workflows/contracts/task-queues.ts';
import { leadctlFor } from '../cli/leadctl.ts';
import { readable } from '../replay/payloads.ts';
import { startTestApi } from '../support/api.ts';
import { asAdmin, createTestDatabase } from '../support/database.ts';
import { document } from '../support/documented.ts';
import { startApiProcess, startServiceProcess, type ApiProcess } from '../support/process.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createSentinels } from '../support/sentinels.ts';
import { proxied } from '../support/switchable-proxy.ts';
import { openTestTemporal } from '../support/temporal.ts';
import { readWholeTemporal } from '../support/whole-store.ts';
import { runWorkers } from '../support/worker.ts';
import { listenOnLoopback } from '../support/listen.ts';

const sentinels = createSentinels(document.components?.schemas ?? {});
const { word, phone, email, fill } = sentinels;

let worker: ApiProcess | undefined;
/** The bodies of all error responses, without the path of the request, which the envelope repeats. */
const errors: string[] = [];

/** A registry and an endpoint in one: both refuse, and quote what they were sent. */
const outside = createServer((request, response) => {
  void text(request).then((body) => {
    const isToken = request.url === '/token';
    response.writeHead(isToken ? 200 : 500, { 'Content-Type': 'application/json' });
    response.end(
      isToken ? '{"access_token":"t","expires_in":3600}' : JSON.stringify({ error: body }),
    );
  });
});

const there = `http://127.0.0.1:${await listenOnLoopback(outside)}`;
const own = await createTestDatabase();
const desk = await startTestApi({ databaseUrl: own.url });
const client = await desk.addClient();
const temporal = await openTestTemporal();
const { url: proxiedUrl, proxy } = await proxied(own.url);
const variables = {
  DATABASE_URL: proxiedUrl,
  TEMPORAL_ADDRESS: temporal.target.address,
  TEMPORAL_NAMESPACE: temporal.target.namespace,
  LOG_LEVEL: 'trace',
  RECONCILE_AFTER_SECONDS: '1',
  WEBHOOK_ALLOW_PRIVATE: '1',
  WEBHOOK_RETRY_SECONDS: '0.1,0.1',
  DNCR_CHECK_URL: `${there}/check`,
  DNCR_TOKEN_URL: `${there}/token`,
  DNCR_CLIENT_ID: 'us',
  DNCR_CLIENT_SECRET: 'secret',
  DNCR_TIMEOUT_SECONDS: '60',
};
const leadctl = leadctlFor([webhookCommands], variables);
const hook = ['--client', client.clientId, '--url', `${there}/hook`, '--allow-http'];
await leadctl('webhook', 'add', ...hook);
const api = await startApiProcess(variables);
afterAll(async () => {
  proxy.turn('open');
  await Promise.all([api.stop(), worker?.stop()]);
  await desk.stop();
  await temporal.connection.close();
  await proxy.stop();
  await own.drop();
  outside.close();
});

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
}

async function send(method: string, path: string, { body, headers }: Sent = {}) {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${client.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (response.status >= 400) errors.push(JSON.stringify({ ...answer, path: undefined }));
  return { status: response.status, answer };
}

const create = () => send('POST', '/public/leads', { body: fill('LeadCreate') });

async function becomes(leadId: unknown, status: RegExp): Promise<void> {
  const read = async () =>
    expect((await send('GET', `/public/leads/${leadId}/assignment`)).answer.status).toMatch(status);
  await waitUntil(read, { what: `A lead ${status}` });
}

/** Every text and list of it where an object belongs, and the other way round; then all of it too long. */
function malformed(name: string): Record<string, unknown>[] {
  const names = Object.keys(fill(name));
  const all = (value: (field: string) => unknown) =>
    Object.fromEntries(names.map((field) => [field, value(`${name}.${field} malformed`)]));
  return [
    all((field) => ({ [word(field)]: word(field) })),
    all((field) => [[word(field)]]),
    all((field) => word(field).repeat(50)),
    all((field) => [phone(field).repeat(10)]),
  ];
}

describe('what a person sends stands in no log, metric, error or workflow', () => {
  test('when leads are taken in, merged and updated while workflow tasks fail', async () => {
    const { status, answer } = await create();
    expect({ status, answer }).toMatchObject({ status: 201, answer: { merged: false } });
    const again = { ...fill('LeadCreate'), leadEmails: answer.leadEmails as string[] };
    expect(await send('POST', '/public/leads', { body: again })).toMatchObject({
      status: 201,
      answer: { merged: true },
    });
    const body = { ...fill('LeadUpdate'), [word('unknown field')]: word('unknown field') };
    expect(await send('PUT', `/public/leads/${answer.id}`, { body })).toMatchObject({
      status: 200,
      answer: { updated: true },
    });
    await failWorkflowTask(String(answer.id));
    worker = await startServiceProcess('worker/worker.ts', variables);
    await becomes(answer.id, /unassigned/);
    const failed = async () => {
      const [row] = await desk.database.query<{ count: number }>(
        `select count(*)::int as count from webhook_deliveries where status = 'failed'`,
      );
      expect(row?.count).toBeGreaterThan(0);
    };
    await waitUntil(failed, { what: 'The end of a delivery' });
  });

  /** As a release does whose workflow code is broken. */
  async function failWorkflowTask(leadId: string): Promise<void> {
    const { address, namespace } = temporal.target;
    const connection = await NativeConnection.connect({ address });
    const workflowsPath = fileURLToPath(
      new URL('../workflows/planted/stuck-lead-lifecycle.ts', import.meta.url),
    );
    const workflowBundle = await bundleWorkflowCode({
      workflowsPath,
      logger: new DefaultLogger('ERROR'),
    });
    const taskQueue = taskQueues.lifecycle;
    const broken = await Worker.create({ connection, namespace, taskQueue, workflowBundle });
    const running = runWorkers([broken], connection);
    const hasFailed = async () => {
      const { events } = await temporal.client.workflow.getHandle(`lead/${leadId}`).fetchHistory();
      const failures = events?.filter((event) => event.workflowTaskFailedEventAttributes);
      expect(failures?.length).toBeGreaterThan(0);
    };
    await waitUntil(hasFailed, { what: 'A failed workflow task' });
    await running.stop();
  }

  test('when a statement fails with an error that quotes the row', async () => {
    const first = await create();
    await becomes(first.answer.id, /unassigned/);
    await asAdmin(
      own.url,
      `create function quote_row() returns trigger language plpgsql as $$ begin
         raise exception 'row %', to_jsonb(new) using detail = to_jsonb(new)::text;
       end $$`,
      `create trigger quote_row before update on leads for each row execute function quote_row()`,
    );
    const body = fill('LeadUpdate');
    expect(await send('PUT', `/public/leads/${first.answer.id}`, { body })).toMatchObject({
      status: 500,
    });
    const { answer } = await create();
    const retried = async () => {
      const run = temporal.client.workflow.getHandle(`lead/${answer.id}`);
      const { raw } = await run.describe();
      expect(raw.pendingActivities?.some((activity) => activity.lastFailure)).toBe(true);
      places.push(readable(JSON.stringify(raw)));
    };
    await waitUntil(retried, { what: 'An activity that failed' });
    await asAdmin(own.url, `drop trigger quote_row on leads`);
    await becomes(answer.id, /unassigned/);
  });

  test('when the database is away', async () => {
    proxy.turn('refusing');
    for (const body of [fill('LeadCreate'), fill('LeadCreate')])
      expect(await send('POST', '/public/leads', { body })).toMatchObject({ status: 503 });
    const noticed = async () => expect(worker?.log()).toContain('loop failed');
    await waitUntil(noticed, { what: 'The worker' });
    proxy.turn('open');
    await waitUntil(async () => expect((await create()).status).toBe(201), { what: 'A lead' });
  });

  test('when a request is malformed', async () => {
    const { answer } = await create();
    for (const body of malformed('LeadCreate')) await send('POST', '/public/leads', { body });
    for (const body of malformed('LeadUpdate'))
      await send('PUT', `/public/leads/${answer.id}`, { body });
    const quoted = `"${word('broken JSON')}`;
    for (const body of [quoted, `{"leadPhones":["${phone('broken JSON')}"`, `[${quoted}"]`])
      expect((await send('POST', '/public/leads', { body })).status).toBe(400);
    for (const path of ['/public/leads', '/public/dncr/check', '/oauth2/token', '/no/such']) {
      await send('POST', `${path}?phone=${encodeURIComponent(phone('query'))}`, { body: {} });
      await send('POST', path, { body: word('form'), headers: { 'content-type': 'text/plain' } });
    }
    const seconds = { seconds: word('seconds'), note: word('unknown field') };
    await send('POST', `/public/leads/${answer.id}/response-time`, { body: seconds });
    await send('GET', `/public/leads/${word('path')}/assignment`);
    await send('GET', `/public/developers/search?search=${word('search')}&limit=${word('limit')}`);
    const request = `GET /${word('raw path')} HTTP/9.9\r\nX-Name: ${word('raw header')}\r\n\r\n`;
    errors.push((await sendRaw(api.url, request)).body);
    const nul = { ...fill('LeadCreate'), leadFirstName: `${word('NUL')}\u0000\ud800` };
    expect((await send('POST', '/public/leads', { body: nul })).status).toBe(201);
  });

  test('in headers and in calls for a token', async () => {
    const names = ['user-agent', 'referer', 'cookie', 'x-name', 'if-none-match'];
    const headers = Object.fromEntries(names.map((name) => [name, email(name)]));
    const ids = {
      'x-request-id': email('x-request-id'),
      'x-forwarded-for': word('forwarded'),
      traceparent: `01-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01-${word('traceparent')}`,
      tracestate: `vendor=${word('tracestate')}`,
    };
    await send('POST', '/public/leads', { body: {}, headers: { ...headers, ...ids } });
    for (const authorization of [`Bearer ${word('bearer')}`, `Basic ${word('basic')}`])
      await send('POST', '/public/leads', { body: {}, headers: { authorization } });
    const body = { grant_type: word('grant'), client_id: email('client_id') };
    const wrong = [{}, { grant_type: 'client_credentials' }, { username: email('username') }];
    for (const each of wrong)
      await send('POST', '/oauth2/token', {
        body: { ...body, client_secret: word('secret'), ...each },
      });
    const halves = `${email('Basic id')}:${word('Basic secret')}`;
    for (const sent of [word('Basic'), btoa(halves), btoa(encodeURIComponent(halves))])
      await send('POST', '/oauth2/token', {
        body: { grant_type: 'client_credentials' },
        headers: { authorization: `Basic ${sent}` },
      });
  });

  test('when the registry refuses a check and quotes its numbers', async () => {
    const phones = [phone('dncr'), phone('dncr')];
    expect(await send('POST', '/public/dncr/check', { body: { phones } })).toMatchObject({
      status: 502,
    });
    const unknown = { phones: [phone('dncr')], note: word('dncr unknown') };
    await send('POST', '/public/dncr/check', { body: unknown });
    await send('POST', '/public/dncr/check', { body: { phones: [[phone('dncr')]] } });
    await send('POST', '/public/dncr/check', { body: { phones: phones[0], fresh: word('fresh') } });
  });

  /** What else was read on the way. */
  const places: string[] = [];

  test('as a search for all of it shows', async () => {
    const metrics = [api, worker as ApiProcess].map(async ({ opsUrl }) =>
      (await fetch(`${opsUrl}/metrics`)).text(),
    );
    const histories = await readWholeTemporal(temporal.client);
    expect(histories.length).toBeGreaterThan(12);
    expect(sentinels.count).toBeGreaterThan(500);
    const searched = {
      api: api.log(),
      worker: String(worker?.log()),
      errors: errors.join('\n'),
      metrics: (await Promise.all(metrics)).join('\n'),
      temporal: [...histories, ...places].join('\n'),
    };
    const found = Object.entries(searched).map(([place, all]) => [place, sentinels.foundIn(all)]);
    expect(found).toEqual(found.map(([place]) => [place, []]));
  });

  test('a sentinel that stood there would be found, in whatever form', () => {
    const [number, name] = [phone('self-test'), word('self-test')];
    for (const written of [number, number.slice(4), encodeURIComponent(number), name.toUpperCase()])
      expect(sentinels.foundIn(`…${written}…`)).toHaveLength(1);
    for (const around of ['', 'a', 'ab'])
      expect(sentinels.foundIn(Buffer.from(`${around}${name}zz`).toString('base64'))).toHaveLength(
        1,
      );
  });
});
