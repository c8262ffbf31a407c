import { randomUUID } from 'node:crypto';
import { webhookCommands } from '../../cli/webhook.ts';
import { startReceiver } from '../../dev/receiver/server.ts';
import { startRegistry } from '../../dev/registry.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { readWorkFigures } from '../../store/leads/work-states.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { taskQueues } from '../../workflows/contracts/task-queues.ts';
import { leadctlFor } from '../cli/leadctl.ts';
import { startTestApi, newPhone } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { activateRules, makeAgent } from '../support/routing.ts';
import { firingOn, hasPromtool } from '../support/promtool.ts';
import { dashboardQueries, parsePromql, alertRules, watchTables } from '../support/monitoring.ts';
import { startApiProcess, startServiceProcess, type ApiProcess } from '../support/process.ts';
import { proxied } from '../support/switchable-proxy.ts';
import { openTestTemporal } from '../support/temporal.ts';

const own = await createTestDatabase();
const desk = await startTestApi({ databaseUrl: own.url });
const temporal = await openTestTemporal();
const receiver = await startReceiver();
const registry = await startRegistry();
const { url: temporalUrl, proxy: toTemporal } = await proxied(
  `temporal://${temporal.target.address}`,
);
const variables = {
  DATABASE_URL: own.url,
  TEMPORAL_ADDRESS: new URL(temporalUrl).host,
  TEMPORAL_NAMESPACE: temporal.target.namespace,
  WEBHOOK_ALLOW_PRIVATE: '1',
  DNCR_CHECK_URL: registry.checkUrl,
  DNCR_TOKEN_URL: registry.tokenUrl,
  DNCR_CLIENT_ID: registry.clientId,
  DNCR_CLIENT_SECRET: registry.clientSecret,
  DNCR_TIMEOUT_SECONDS: '60',
};
const words = ['--client', desk.client.clientId, '--url', `${receiver.url}/hooks/own`];
await leadctlFor([webhookCommands], variables)('webhook', 'add', ...words, '--allow-http');
const processes = [
  await startApiProcess(variables),
  await startServiceProcess('worker/worker.ts', variables),
];
afterAll(async () => {
  toTemporal.turn('open');
  await Promise.all(processes.map((each) => each.stop()));
  await desk.stop();
  await temporal.connection.close();
  await Promise.all([toTemporal.stop(), receiver.stop(), registry.stop()]);
  await own.drop();
});

async function post(path: string, body: object): Promise<Response> {
  const [api] = processes;
  const response = await fetch(`${api?.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${desk.client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
  return response;
}

async function createLead(): Promise<string> {
  const response = await post('/public/leads', { leadPhones: [newPhone()] });
  return ((await response.json()) as { id: string }).id;
}

const metricsOf = async ({ opsUrl }: ApiProcess) => (await fetch(`${opsUrl}/metrics`)).text();

async function scrape(): Promise<Map<string, Set<string>>> {
  const pages = processes.map(metricsOf);
  const found = new Map<string, Set<string>>();
  for (const line of (await Promise.all(pages)).join('\n').split('\n')) {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (!name) continue;
    const known = found.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}

/** Everything that leaves a metric behind: a lead with its webhooks, a check, and what can fail. */
async function work(): Promise<void> {
  await createLead();
  await post('/public/dncr/check', { phones: ['0502000001'] });
  const { workflow } = temporal.client;
  const start = (type: string, taskQueue: string, input: object) =>
    workflow.start(type, { workflowId: `${type} ${randomUUID()}`, taskQueue, args: [input] });
  await start('NoSuchWorkflow', taskQueues.lifecycle, {});
  await start('WebhookTest', taskQueues.lifecycle, { endpointId: randomUUID(), testId: 'a' });
}

/** A result of an activity whose run has ended, and polls that are cut off. */
async function failRequests(): Promise<void> {
  receiver.setBehaviour({ mode: 'hang' });
  const leadId = await createLead();
  const isAboutLead = ({ raw }: { raw: string }) => raw.includes(leadId);
  const isCalled = async () => expect(receiver.received().some(isAboutLead)).toBe(true);
  await waitUntil(isCalled, { what: "A call with the lead's event" });
  await leadRun(temporal.client, leadId).terminate();
  await hasMetric('temporal_request_failure');
  toTemporal.turn('refusing');
  await hasMetric('temporal_long_request_failure');
  toTemporal.turn('open');
}

async function hasMetric(name: string): Promise<void> {
  const isThere = async () => expect([...(await scrape()).keys()]).toContain(name);
  await waitUntil(isThere, { what: name, everyMs: 200 });
}

interface Named {
  where: string;
  metrics: string[];
  labels: string[];
}

const queries: Named[] = [
  ...alertRules().map(({ alert, expr }) => ({ where: alert, ...parsePromql(expr) })),
  ...dashboardQueries().map(({ title, expr }) => ({ where: title, ...parsePromql(expr) })),
];
/** The first column of the guide's second table names the metrics of Temporal's SDK. */
const documented: Named[] = (watchTables()[1] ?? []).map(([metrics = '', labels = '']) => ({
  where: 'docs/operations.md',
  metrics: [...metrics.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  labels: [...labels.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
}));

function missing(named: readonly Named[], found: Map<string, Set<string>>): string[] {
  return named.flatMap(({ where, metrics, labels }) =>
    metrics.flatMap((metric) => {
      const known = found.get(metric) ?? found.get(`${metric}_bucket`);
      if (!known) return [`${where}: ${metric}`];
      return labels
        .filter((label) => !known.has(label))
        .map((label) => `${where}: ${metric}{${label}}`);
    }),
  );
}

describe('a scrape of a running API and worker', () => {
  test('has every metric and label that the alerts, the dashboard and the guide name', async () => {
    expect(queries.length).toBeGreaterThan(50);
    expect(documented.flatMap(({ metrics }) => metrics).length).toBeGreaterThan(15);
    await work();
    await failRequests();
    const isWhole = async () =>
      expect(missing([...queries, ...documented], await scrape())).toEqual([]);
    await waitUntil(isWhole, { what: 'The pages', everyMs: 200 });
  });
});

const ABOUT_LEADS = ['LeadsToNobody', 'LeadsPileUp', 'EnquiriesMissing', 'WebhookEndpointFails'];

const causes: [alert: string, cause: () => Promise<void>][] = [
  ['LeadsToNobody', leaveToNobody],
  ['LeadsPileUp', pileUp],
  ['EnquiriesMissing', () => ageBy('leads', 'created_at', '7 days')],
  ['WebhookEndpointFails', failEndpoint],
];

const ageBy = async (table: string, column: string, age: string) => {
  await desk.database.query(`update ${table} set ${column} = ${column} - $1::interval`, [age]);
};

async function leaveToNobody(): Promise<void> {
  const leadId = await createLead();
  const isLeft = async () => {
    const [lead] = await desk.database.query('select assignment_status from leads where id = $1', [
      leadId,
    ]);
    expect(lead).toEqual({ assignment_status: 'unassigned' });
  };
  await waitUntil(isLeft, { what: 'The decision' });
}

async function pileUp(): Promise<void> {
  const agent = await makeAgent(desk.database);
  await desk.database.query(
    `insert into agent_absences values ($1, '2026-01-01', (current_date + 2)::text)`,
    [agent.id],
  );
  await activateRules(desk.database, [
    {
      target: { kind: 'agent', agentId: agent.id },
      onExhausted: { kind: 'wait', atMostMinutes: 10_000, then: { kind: 'next' } },
    },
  ]);
  for (let leads = 0; leads <= 50; leads += 1) await createLead();
  const areWaiting = async () => {
    const { leads } = await readWorkFigures(desk.database, new Date());
    expect(leads.waiting).toBeGreaterThan(50);
  };
  await waitUntil(areWaiting, { what: 'The leads that wait', everyMs: 200 });
}

async function failEndpoint(): Promise<void> {
  receiver.setBehaviour({ mode: 'fail' });
  await createLead();
  const isFailing = async () => {
    const [endpoint] = await desk.database.query<{ since: Date | null }>(
      'select failing_since as since from webhook_endpoints',
    );
    expect(endpoint?.since).not.toBeNull();
  };
  await waitUntil(isFailing, { what: 'The failure' });
  await ageBy('webhook_endpoints', 'failing_since', '16 minutes');
}

(hasPromtool ? describe : describe.skip)('on the metrics of the running API', () => {
  const firing = async () => firingOn(await metricsOf(processes[0] as ApiProcess), ABOUT_LEADS);

  beforeAll(() => ageBy('assignments', 'decided_at', '2 hours'));

  test.each(causes)('%s fires by its cause alone', async (alert, cause) => {
    const before = await firing();
    expect(before).not.toContain(alert);
    await cause();
    expect((await firing()).filter((each) => !before.includes(each))).toEqual([alert]);
  });
});
