import { randomBytes } from 'node:crypto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { startReceiver } from '../../dev/receiver/server.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { webhookCommands } from '../../cli/webhook.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { leadctlFor } from '../cli/leadctl.ts';
import { readable } from '../replay/payloads.ts';
import { startTestApi, type TestClient, newPhone } from '../support/api.ts';
import { asAdmin, createTestDatabase } from '../support/database.ts';
import { startApiProcess, startServiceProcess } from '../support/process.ts';
import { activateRules, makeAgent } from '../support/routing.ts';
import { openTestTemporal } from '../support/temporal.ts';

const own = await createTestDatabase();
const desk = await startTestApi({ databaseUrl: own.url });
const temporal = await openTestTemporal();
const receiver = await startReceiver();
const variables = {
  DATABASE_URL: own.url,
  TEMPORAL_ADDRESS: temporal.target.address,
  TEMPORAL_NAMESPACE: temporal.target.namespace,
  WEBHOOK_ALLOW_PRIVATE: '1',
  WEBHOOK_RETRY_SECONDS: '0.1,0.1',
};
const { id: agentId } = await makeAgent(desk.database);
await activateRules(desk.database, [{ target: { kind: 'agent', agentId } }]);
await register(desk.client, '/hooks/own');
const api = await startApiProcess(variables);
const worker = await startServiceProcess('worker/worker.ts', variables);
afterAll(async () => {
  await Promise.all([api.stop(), worker.stop()]);
  await desk.stop();
  await temporal.connection.close();
  await receiver.stop();
  await own.drop();
});

async function register({ clientId }: TestClient, path: string): Promise<void> {
  const leadctl = leadctlFor([webhookCommands], variables);
  const words = ['--client', clientId, '--url', `${receiver.url}${path}`, '--allow-http', '--json'];
  const { json } = await leadctl('webhook', 'add', ...words);
  receiver.setSecret(json.secret, path);
}

const newTrace = () => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
};

async function send(
  method: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${api.url}/public/leads${path}`, {
    method,
    headers: {
      authorization: `Bearer ${desk.client.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { id: string }).id;
}
const create = (headers?: Record<string, string>) =>
  send('POST', '', { leadPhones: [newPhone()] }, headers);

type Line = Record<string, unknown> & { msg: string };

/** The lines of all processes that contain a word, as `grep` finds them. */
function grep(word: string): Line[] {
  const lines = [api, worker].flatMap((each) => each.log().split('\n'));
  return lines.filter((line) => line.includes(word)).map((line) => JSON.parse(line) as Line);
}

const callsAbout = (leadId: string) =>
  receiver
    .received()
    .filter(({ raw }) => raw.includes(leadId))
    .toReversed();

async function isDelivered(leadId: string, calls = 2): Promise<void> {
  await waitUntil(async () => expect(callsAbout(leadId)).toHaveLength(calls), {
    what: `${calls} calls about the lead`,
  });
  const ended = async () => {
    const open = await desk.database.query(
      `select from webhook_deliveries where lead_id = $1 and status = 'pending'`,
      [leadId],
    );
    expect(open).toEqual([]);
  };
  await waitUntil(ended, { what: 'The end of the deliveries' });
}

/** Neither in an input nor in a result or header. */
async function expectInNoHistory(leadId: string, traceId: string): Promise<void> {
  const run = leadRun(temporal.client, leadId);
  const pages = [historyToJSON(await run.fetchHistory()), JSON.stringify(await run.describe())];
  for (const page of [...pages, ...pages.map(readable)]) {
    expect(page).not.toContain(traceId);
    expect(page).not.toMatch(/trace-?parent/i);
  }
}

describe('the trace of a request', () => {
  test('leads by one grep from the request over the routing to the webhooks', async () => {
    const { traceId, spanId, traceparent } = newTrace();
    const leadId = await create({ traceparent });
    await isDelivered(leadId);
    const workflowId = `lead/${leadId}`;
    const calls = callsAbout(leadId);
    const expected = [
      { msg: 'request', leadId, status: 201, traceId, spanId },
      { msg: 'activity', activityType: 'routeLead', workflowId, traceId },
      ...calls.map(({ id, headers }) => ({
        msg: 'webhook attempt',
        workflowId,
        eventId: id,
        status: 200,
        attempt: 1,
        traceId,
        spanId: headers.traceparent?.slice(36, 52),
      })),
    ].map((line) => expect.objectContaining(line) as unknown);
    const found = async () => expect(grep(traceId)).toEqual(expect.arrayContaining(expected));
    await waitUntil(found, { what: 'The lines of the logs' });
    for (const line of grep(traceId)) expect(JSON.stringify(line)).toContain(leadId);
    expect(calls.map(({ verdict }) => verdict)).toEqual(['verified', 'verified']);
    const spans = calls.map(({ headers }) => headers.traceparent);
    for (const each of spans) expect(each).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(new Set([traceparent, ...spans]).size).toBe(3);
    await expectInNoHistory(leadId, traceId);
  });

  test('is the same at each attempt, under a span of its own, after an update has brought another', async () => {
    const [first, second] = [newTrace(), newTrace()];
    receiver.setBehaviour({ path: '/hooks/own', mode: 'fail', status: 503 });
    const leadId = await create({ traceparent: first.traceparent });
    const isTried = async () => expect(callsAbout(leadId).length).toBeGreaterThan(0);
    await waitUntil(isTried, { what: 'An attempt' });
    await send('PUT', `/${leadId}`, { budgetMax: '5' }, { traceparent: second.traceparent });
    await isDelivered(leadId, 6);
    receiver.setBehaviour({ path: '/hooks/own', mode: 'ok' });
    const sent = callsAbout(leadId).map(({ headers }) => String(headers.traceparent));
    for (const each of sent) expect(each).toContain(`00-${first.traceId}-`);
    expect(new Set(sent).size).toBe(6);
    const isLogged = async () => {
      const failed = grep(first.traceId).filter(({ msg }) => msg.includes('failed for good'));
      expect(failed).toHaveLength(2);
    };
    await waitUntil(isLogged, { what: 'The lines of the failed deliveries' });
    const isUpdateLogged = async () =>
      expect(grep(second.traceId)[0]).toMatchObject({ msg: 'request', method: 'PUT', leadId });
    await waitUntil(isUpdateLogged, { what: 'The line of the update' });
  });

  test('stands in the line of an activity that fails', async () => {
    const { traceId, traceparent } = newTrace();
    await asAdmin(
      own.url,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
      `create trigger refuse before update on leads for each row execute function refuse()`,
    );
    const leadId = await create({ traceparent });
    const failed = async () => {
      const line = grep(traceId).find(({ msg }) => msg === 'Activity failed');
      expect(line).toMatchObject({ activityType: 'routeLead', workflowId: `lead/${leadId}` });
    };
    await waitUntil(failed, { what: 'The line of the failure' });
    await asAdmin(own.url, `drop trigger refuse on leads`, `drop function refuse`);
    await isDelivered(leadId);
  });

  test('is not made up where there is none', async () => {
    const leadId = await create();
    await isDelivered(leadId);
    for (const { headers } of callsAbout(leadId)) expect(headers).not.toHaveProperty('traceparent');
    const lines = async () => {
      const all = grep(leadId);
      expect(all.length).toBeGreaterThan(3);
      return all;
    };
    for (const line of await waitUntil(lines, { what: 'The lines of the logs' })) {
      expect(line).not.toHaveProperty('traceId');
      expect(line).not.toHaveProperty('spanId');
    }
  });
});
