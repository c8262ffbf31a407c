import fc from 'fast-check';
import { createLeadActivities } from '../../../activities/leads/lead-activities.ts';
import { deleteOutboxRows } from '../../../store/leads/outbox.ts';
import { readWakeup } from '../../../store/leads/waiting-leads.ts';
import { setPaused } from '../../../store/routing/agents.ts';
import { createQueueOwner } from '../../../worker/waiting-leads.ts';
import { playSettings } from '../../support/environment.ts';
import { startTestApi } from '../../support/api.ts';
import { seedReference } from '../../support/reference.ts';
import { activateRules, makeAgents, makeTeam } from '../../support/routing.ts';
import { testActivityContext, untilRouted } from '../../support/worker.ts';

const api = await startTestApi();
const { database } = api;
let nowMs = 0;
beforeEach(clear);
afterAll(() => api.stop());

/** No lead that is not held, and a Monday without a holiday. */
async function clear(): Promise<void> {
  setNow(Date.parse('2026-03-02T06:00:00Z'));
  await database.query(`update leads set assignment_status = 'unassigned' where owner_id is null`);
  for (const table of ['waiting_leads', 'waiting_wakeups', 'worker_leases', 'holidays'])
    await database.query(`delete from ${table}`);
}

function setNow(ms: number): void {
  nowMs = ms;
  api.setNow(new Date(ms));
}

/** Leads that arrive 15 ms apart and that no worker has seen yet. */
async function arrive(count: number): Promise<string[]> {
  const leadIds: string[] = [];
  for (let lead = 0; lead < count; lead += 1) {
    setNow(nowMs + 15);
    leadIds.push((await api.create()).id);
  }
  return leadIds;
}

/** A worker as after its start: the runs of these leads begin at once, in the order given, beside the owner of the queue. */
async function runWorker(leadIds: readonly string[]): Promise<void> {
  const context = contextNow();
  await database.query('delete from worker_leases');
  const placeAll = createQueueOwner(context, (rows) =>
    deleteOutboxRows(
      database,
      rows.map(({ id }) => id),
    ),
  );
  // It looks again as long as there is something to do, such as after it found a lock.
  const place = async (looks: number) => {
    for (let look = 0; look < looks; look += 1)
      if ((await placeAll()) === 0 && !(await readWakeup(database, new Date(nowMs)))) return;
  };
  await Promise.all([place(5), routeOnly(leadIds)]);
  await place(100);
}

const contextNow = () => testActivityContext(database, api.config, () => new Date(nowMs));

/** The same without the owner of the queue, in two processes. */
async function routeOnly(leadIds: readonly string[]): Promise<void> {
  const workers = [createLeadActivities(contextNow()), createLeadActivities(contextNow())];
  const runs = leadIds.map((leadId, at) =>
    untilRouted(async () => workers[at % 2]?.routeLead({ leadId })),
  );
  await Promise.all(runs);
}

async function startTeam(count: number, columns: object, onExhausted: object) {
  const agents = await makeAgents(database, count, { ...columns });
  const teamId = await makeTeam(database, agents);
  const gates = { availability: 'working_hours' };
  const followUp = { minutes: 0 };
  await activateRules(database, [
    { target: { kind: 'team', teamId }, gates, followUp, onExhausted },
  ]);
  return agents;
}

const WAIT = { kind: 'wait', atMostMinutes: 500_000, then: { kind: 'unassigned' } };

async function ownersOf(leadIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await database.query<{ owner: string | null }>(
    `select l.owner_id as owner from leads l join unnest($1::uuid[]) with ordinality o (id, at) using (id) order by at`,
    [leadIds],
  );
  return rows.map(({ owner }) => owner);
}

const heldOf = async (leadIds: readonly string[]) =>
  (await ownersOf(leadIds)).flatMap((owner, index) => (owner ? [index + 1] : []));

const respond = async (leadId: string) =>
  api.call('POST', `/public/leads/${leadId}/response-time`, { body: { seconds: 5 } });

describe('of leads that arrived while no worker ran, the first ones get the agents that are free', () => {
  test.each<[string, object]>([
    ['where the others wait', WAIT],
    ['where the others go on', { kind: 'unassigned' }],
  ])('%s', async (_, onExhausted) => {
    await startTeam(2, { open_cap: 3, daily_cap: 5 }, onExhausted);
    const leadIds = await arrive(30);
    await runWorker(leadIds.toReversed());
    expect(await heldOf(leadIds)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('and the next ones those that become free', async () => {
    await startTeam(2, { open_cap: 1 }, WAIT);
    const leadIds = await arrive(3);
    await runWorker([leadIds[2] ?? '', leadIds[0] ?? '']);
    expect(await heldOf(leadIds)).toEqual([1, 2]);
    const [fourth = ''] = await arrive(1);
    await respond(leadIds[1] ?? '');
    await runWorker([fourth]);
    expect(await heldOf([...leadIds, fourth])).toEqual([1, 2, 3]);
  });

  test('also from one that waits already', async () => {
    const [agent] = await startTeam(1, { open_cap: 1 }, WAIT);
    const [held = '', older = '', younger = ''] = await arrive(3);
    await runWorker([held]);
    await runWorker([younger]);
    await respond(held);
    await runWorker([]);
    expect(await ownersOf([older, younger])).toEqual([agent?.id, null]);
  });
});

test('leads that wait do not overtake one that another transaction has locked for a moment', async () => {
  await startTeam(2, { open_cap: 1 }, WAIT);
  const leadIds = await arrive(4);
  await runWorker(leadIds);
  await respond(leadIds[0] ?? '');
  await database.transaction(async (sql) => {
    await sql.query('select from leads where id = $1 for no key update', [leadIds[2]]);
    await runWorker([]);
  });
  expect(await heldOf(leadIds)).toEqual([1, 2]);
  await runWorker([]);
  expect(await heldOf(leadIds)).toEqual([1, 2, 3]);
});

test('agents with room for all cost a lead no look at those before it', async () => {
  await startTeam(2, { daily_cap: 600 }, { kind: 'unassigned' });
  const leadIds = await arrive(3);
  const looks: string[] = [];
  const stop = database.onStatement((text) => {
    if (text.includes('own.created_at')) looks.push(text);
  });
  await runWorker(leadIds.toReversed());
  stop();
  expect(looks).toEqual([]);
  expect(await heldOf(leadIds)).toEqual([1, 2, 3]);
});

type Command =
  | { kind: 'arrive'; leads: number }
  | { kind: 'start'; order: number[]; killedAfter: number }
  | { kind: 'respond' | 'pause'; index: number }
  | { kind: 'nextDay' | 'holiday' };

interface ModelAgent {
  id: string;
  dailyCap: number;
  openCap: number;
  isPaused: boolean;
}
interface ModelLead {
  id: string;
  owner: string | null;
  givenOn: number;
  isResponded: boolean;
}

/** Whoever is free takes the lead that came first. Between two starts no worker runs. */
async function openOffice(agents: ModelAgent[]) {
  const leads: ModelLead[] = [];
  let [unseen, day, isHoliday] = [[] as string[], 0, false];

  function roomOf({ id, dailyCap, openCap, isPaused }: ModelAgent): number {
    const held = leads.filter(({ owner }) => owner === id);
    const open = held.filter(({ isResponded }) => !isResponded).length;
    const today = held.filter(({ givenOn }) => givenOn === day).length;
    return isPaused || isHoliday ? 0 : Math.min(dailyCap - today, openCap - open);
  }

  async function start({ order, killedAfter }: Extract<Command, { kind: 'start' }>) {
    const runs = unseen.toSorted((a, b) => keyOf(order, a) - keyOf(order, b));
    await routeOnly(runs.slice(0, killedAfter));
    await runWorker(runs);
    unseen = [];
    const waiting = leads.filter(({ owner }) => owner === null);
    const room = agents.reduce((sum, agent) => sum + roomOf(agent), 0);
    const owners = await ownersOf(waiting.map(({ id }) => id));
    const due = waiting.map((_, at) => at < room);
    expect(owners.map((owner) => owner !== null)).toEqual(due);
    for (const [at, lead] of waiting.entries())
      if (owners[at]) Object.assign(lead, { owner: owners[at], givenOn: day });
    for (const agent of agents) expect(roomOf(agent)).toBeGreaterThanOrEqual(0);
  }
  const keyOf = (order: number[], id: string) =>
    order[leads.findIndex((lead) => lead.id === id) % order.length] ?? 0;

  return async function run(each: Command): Promise<void> {
    switch (each.kind) {
      case 'arrive': {
        const arrived = await arrive(each.leads);
        unseen.push(...arrived);
        leads.push(...arrived.map((id) => ({ id, owner: null, givenOn: -1, isResponded: false })));
        return;
      }
      case 'start':
        return start(each);
      case 'respond': {
        const open = leads.filter(({ owner, isResponded }) => owner !== null && !isResponded);
        const lead = open[each.index % open.length];
        if (!lead) return;
        await respond(lead.id);
        lead.isResponded = true;
        return;
      }
      case 'pause': {
        const agent = agents[each.index % agents.length] as ModelAgent;
        agent.isPaused = !agent.isPaused;
        await setPaused(database, agent.id, agent.isPaused ? new Date(nowMs) : null);
        return;
      }
      case 'nextDay':
        [day, isHoliday] = [day + 1, false];
        setNow(nowMs + 24 * 60 * 60_000);
        return;
      case 'holiday': {
        const date = new Date(nowMs).toISOString().slice(0, 10);
        await seedReference(database, { holidays: [{ name: 'Rest', from: date, to: date }] });
        isHoliday = true;
      }
    }
  };
}

test('an older lead is not hidden by a thousand undecided ones of another team', async () => {
  const [mine, theirs] = [
    await makeTeam(database, await makeAgents(database, 1, { open_cap: 1 })),
    await makeTeam(database, await makeAgents(database, 1)),
  ];
  const when = [[{ field: 'integrationRef', op: 'in', values: ['mine'] }]];
  await activateRules(database, [
    { name: 'Mine', when, target: { kind: 'team', teamId: mine }, onExhausted: WAIT },
    { name: 'Theirs', target: { kind: 'team', teamId: theirs } },
  ]);
  await Promise.all(Array.from({ length: 1000 }, () => api.create()));
  setNow(nowMs + 15);
  const older = await api.create({ integrationRef: 'mine' });
  setNow(nowMs + 15);
  const younger = await api.create({ integrationRef: 'mine' });
  await runWorker([younger.id]);
  expect(await heldOf([older.id, younger.id])).toEqual([1]);
});

const index = fc.nat({ max: 20 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('arrive'), leads: fc.integer({ min: 1, max: 7 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('start'),
      order: fc.array(fc.nat(), { minLength: 9, maxLength: 9 }),
      killedAfter: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('respond', 'respond', 'pause'), index }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('nextDay', 'holiday') }) },
);
const cap = fc.integer({ min: 1, max: 4 });
const caps = fc.array(fc.tuple(cap, cap), { minLength: 1, maxLength: 3 });

const { sequences: numRuns = 25, ...chosenSeed } = playSettings();

test('agents take leads in order of arrival over restarts, pauses, caps and holidays', async () => {
  const commands = fc.array(command, { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(caps, commands, async (terms, sequence) => {
      await clear();
      const made = await startTeam(terms.length, {}, WAIT);
      const agents = made.map(({ id }, at) => {
        const [dailyCap = 1, openCap = 1] = terms[at] ?? [];
        return { id, dailyCap, openCap, isPaused: false };
      });
      for (const { id, ...agent } of agents)
        await database.query('update agents set daily_cap = $2, open_cap = $3 where id = $1', [
          id,
          agent.dailyCap,
          agent.openCap,
        ]);
      const run = await openOffice(agents);
      for (const each of sequence) await run(each);
    }),
    { numRuns, ...chosenSeed, includeErrorInReport: true },
  );
}, 600_000);
