import { readFile } from 'node:fs/promises';
import { waitUntil } from '../../dev/wait-until.ts';
import { leadRun } from '../../temporal/lead-lifecycle-client.ts';
import { leadWorkflowId } from '../../workflows/contracts/lead-lifecycle.ts';
import { startLiveService } from '../replay/record/live-service.ts';
import { activateRules, makePool } from '../support/routing.ts';
import { signalLead } from '../support/temporal.ts';
import { newPhone } from '../support/api.ts';

interface Cost {
  events: number;
  workflowTasks: number;
  activities: number;
  timers: number;
  visibilityWrites: number;
}

const service = await startLiveService({ WEBHOOK_RETRY_SECONDS: '0.3,0.3' });
const documented = await costsInArchitecture();
afterAll(() => service.stop());

/** The table of docs/architecture.md, by what happens. */
async function costsInArchitecture(): Promise<Map<string, Cost>> {
  const text = await readFile(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const rows = text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 8 && /^\d+$/.test(cells[2] ?? ''));
  return new Map(rows.map(([, what = '', ...counts]) => [what, costFrom(counts.map(Number))]));
}

function costFrom(counts: readonly number[]): Cost {
  const [events = 0, workflowTasks = 0, activities = 0, timers = 0, visibilityWrites = 0] = counts;
  return { events, workflowTasks, activities, timers, visibilityWrites };
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
      if (cost.workflowTasks < minimumTasks) throw new Error(JSON.stringify(cost));
      return cost;
    },
    { what: 'A lead that waits' },
  );
}

async function toAnAgent(): Promise<void> {
  const { id: agentId } = await service.addAgent();
  await activateRules(service.api.database, [{ target: { kind: 'agent', agentId } }]);
}

/** What `action` adds to a lead that waits for its timer. */
async function addedBy(leadId: string, tasks: number, action: () => Promise<unknown>) {
  const before = await settles(leadId, 2);
  await action();
  const after = await settles(leadId, before.workflowTasks + tasks);
  const added = Object.entries(after).map(([what, count]) => [
    what,
    count - before[what as keyof Cost],
  ]);
  return Object.fromEntries(added) as unknown as Cost;
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
    await activateRules(service.api.database, []);
    service.receiver.setBehaviour({ mode: 'fail', times: 1, path: '/hooks/cost-retried' });
    const client = await service.addListener('cost-retried');
    const plain = await settles(await service.create(), 2);
    const cost = await settles(await service.create({}, { client }), 4);
    expect({
      events: cost.events - plain.events,
      workflowTasks: cost.workflowTasks - plain.workflowTasks,
      activities: cost.activities - plain.activities,
      timers: cost.timers - plain.timers,
      visibilityWrites: cost.visibilityWrites - plain.visibilityWrites,
    }).toEqual(documented.get('a delivery whose second attempt arrives, more'));
  });

  test('a signal that changes nothing', async () => {
    await toAnAgent();
    const leadId = await service.create();
    const added = await addedBy(leadId, 1, () => signalLead(service.temporal, leadId, 'recover'));
    expect(added).toEqual(documented.get('a signal that changes nothing'));
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

  test('a response', async () => {
    await toAnAgent();
    const leadId = await service.create();
    const added = await addedBy(leadId, 1, () => service.respond(leadId));
    expect(added).toEqual(documented.get('a response of the agent'));
  });

  test('an update that routes it again', async () => {
    await activateRules(service.api.database, []);
    const leadId = await service.create();
    const added = await addedBy(leadId, 2, () => service.update(leadId, { priority: 'urgent' }));
    expect(added).toEqual(documented.get('an update that routes it again, to nobody'));
  });

  test('a hand-over by an operator', async () => {
    await toAnAgent();
    const leadId = await service.create();
    const { id: agentId } = await service.addAgent();
    const toAgent = { kind: 'agent', agentId } as const;
    const added = await addedBy(leadId, 2, () => service.handOver(leadId, toAgent));
    expect(added).toEqual(documented.get('a hand-over by an operator, to another agent'));
  });

  test('a claim', async () => {
    const poolId = await makePool(service.api.database);
    await activateRules(service.api.database, [{ target: { kind: 'pool', poolId } }]);
    const leadId = await service.create();
    const { id } = await service.addAgent();
    const added = await addedBy(leadId, 2, () => service.claim(leadId, id));
    expect(added).toEqual(documented.get('a claim'));
  });
});
