import { readFile } from 'node:fs/promises';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../workflows/contracts/lead-lifecycle.ts';
import { startLiveService } from '../replay/record/live-service.ts';
import { activateRules, makePool } from '../support/routing.ts';
import { signalLead } from '../support/temporal.ts';
import { newPhone } from '../support/api.ts';

const COUNTED = ['events', 'workflowTasks', 'activities', 'timers', 'visibilityWrites'];

const service = await startLiveService({ WEBHOOK_RETRY_SECONDS: '0.3,0.3' });
const documented = await costsInArchitecture();
afterAll(() => service.stop());

type Cost = Record<string, number>;

/** The table of docs/architecture.md, by what happens. */
async function costsInArchitecture(): Promise<Map<string, Cost>> {
  const text = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 8 && /^\d+$/.test(cells[2] ?? ''));
  const costOf = (counts: string[]) =>
    Object.fromEntries(COUNTED.map((what, at) => [what, Number(counts[at])]));
  return new Map(rows.map(([, what = '', ...counts]) => [what, costOf(counts)]));
}

const runOf = (leadId: string) => leadRun(service.temporal, leadId);

async function costUpToNow(leadId: string): Promise<Cost> {
  const { events: recorded } = await runOf(leadId).fetchHistory();
  const events = recorded ?? [];
  return {
    events: events.length,
    workflowTasks: events.filter((event) => event.workflowTaskCompletedEventAttributes).length,
    activities: events.filter((event) => event.activityTaskScheduledEventAttributes).length,
    timers: events.filter((event) => event.timerStartedEventAttributes).length,
    visibilityWrites: events.filter((event) => event.upsertWorkflowSearchAttributesEventAttributes)
      .length,
  };
}

/** Waits until nothing is under way but the timer. */
async function settles(leadId: string, minimumTasks: number): Promise<Cost> {
  return waitUntil(
    async () => {
      const { raw } = await runOf(leadId).describe();
      if (raw.pendingWorkflowTask || raw.pendingActivities?.length) throw new Error('it is busy');
      const cost = await costUpToNow(leadId);
      if (Number(cost.workflowTasks) < minimumTasks) throw new Error(JSON.stringify(cost));
      return cost;
    },
    { what: 'A lead that waits' },
  );
}

async function toAnAgent(): Promise<void> {
  const { id: agentId } = await service.addAgent();
  await activateRules(service.api.database, [{ target: { kind: 'agent', agentId } }]);
}

const difference = (after: Cost, before: Cost): Cost =>
  Object.fromEntries(COUNTED.map((what) => [what, Number(after[what]) - Number(before[what])]));

/** What `action` adds to a lead that waits for its timer. */
async function addedBy(leadId: string, tasks: number, action: () => Promise<unknown>) {
  const before = await settles(leadId, 2);
  await action();
  return difference(await settles(leadId, Number(before.workflowTasks) + tasks), before);
}

const toNobody = () => activateRules(service.api.database, []);

async function toAPool(): Promise<void> {
  const poolId = await makePool(service.api.database);
  await activateRules(service.api.database, [{ target: { kind: 'pool', poolId } }]);
}

describe('what a lead costs Temporal is what docs/architecture.md says', () => {
  test('created, routed to an agent, both events delivered to one endpoint', async () => {
    await toAnAgent();
    const client = await service.addListener('cost');
    const leadId = await service.create({}, { client });
    const cost = await settles(leadId, 3);
    expect(cost).toEqual(
      documented.get('created, assigned, both events delivered to one endpoint'),
    );
    const workflows = await service.temporal.workflow.list();
    const ids: string[] = [];
    for await (const { workflowId } of workflows) ids.push(workflowId);
    expect(ids.filter((id) => id !== leadWorkflowId(leadId))).toEqual([]);
  });

  test('created and assigned, nobody listens', async () => {
    await toAnAgent();
    const leadId = await service.create();
    expect(await settles(leadId, 2)).toEqual(documented.get('created, assigned, nobody listens'));
  });

  test('a first attempt that fails, a second that arrives', async () => {
    await toNobody();
    service.receiver.setBehaviour({ mode: 'fail', times: 1, path: '/hooks/cost-retried' });
    const client = await service.addListener('cost-retried');
    const plain = await settles(await service.create(), 2);
    const cost = await settles(await service.create({}, { client }), 4);
    const more = documented.get('a delivery whose second attempt arrives, more');
    expect(difference(cost, plain)).toEqual(more);
  });

  const { temporal, update, respond, claim, handOver, addAgent } = service;
  const newAgent = async () => (await addAgent()).id;
  test.each<[string, () => Promise<unknown>, number, (leadId: string) => Promise<unknown>]>([
    ['a signal that changes nothing', toAnAgent, 1, (id) => signalLead(temporal, id, 'recover')],
    ['a response of the agent', toAnAgent, 1, (id) => respond(id)],
    [
      'an update that routes it again, to nobody',
      toNobody,
      2,
      (id) => update(id, { priority: 'urgent' }),
    ],
    [
      'a hand-over by an operator, to another agent',
      toAnAgent,
      2,
      async (id) => handOver(id, { kind: 'agent', agentId: await newAgent() }),
    ],
    ['a claim', toAPool, 2, async (id) => claim(id, await newAgent())],
  ])('%s', async (what, prepare, tasks, action) => {
    await prepare();
    const leadId = await service.create();
    const added = await addedBy(leadId, tasks, () => action(leadId));
    expect(added).toEqual(documented.get(what));
  });

  test('a merged enquiry, delivered to an endpoint that asks for it', async () => {
    await toAnAgent();
    const client = await service.addListener('enquired');
    const person = { leadPhones: [newPhone()] };
    const leadId = await service.create(person, { client });
    await service.api.database.query(
      `update webhook_endpoints set events = '{lead.enquired}' where client_id = $1`,
      [client.id],
    );
    const added = await addedBy(leadId, 2, () => service.create(person));
    expect(added).toEqual(documented.get('a merged enquiry, delivered to one endpoint'));
    const sent = service.receiver.received().filter(({ path }) => path === '/hooks/enquired');
    const data = expect.objectContaining({ leadId, sequence: 3 });
    expect(sent.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ type: 'lead.enquired', data }),
    );
  });
});
