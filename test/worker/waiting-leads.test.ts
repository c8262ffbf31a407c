import { randomUUID } from 'node:crypto';
import {
  createLeadActivities,
  type LeadActivities,
} from '../../activities/leads/lead-activities.ts';
import { bumpReferenceVersion } from '../../store/catalogue/reference-version.ts';
import { deleteOutboxRows } from '../../store/leads/outbox.ts';
import { readWakeup } from '../../store/leads/waiting-leads.ts';
import type { Sql } from '../../store/db/database.ts';
import { createQueueOwner } from '../../worker/waiting-leads.ts';
import { startTestApi } from '../support/api.ts';
import { waitForLockWaits } from '../support/lock-waits.ts';
import { activateRules, makeAgents, makeSource, makeTeam } from '../support/routing.ts';
import { leadActivities, testActivityContext } from '../support/worker.ts';
import { zoneAtNoon } from '../support/working-time.ts';

const api = await startTestApi();
beforeEach(async () => {
  const queue = ['lead_waits', 'waiting_leads', 'waiting_wakeups', 'worker_leases'];
  for (const table of [...queue, 'lead_outbox', 'routing_decisions', 'assignments'])
    await api.database.query(`delete from ${table}`);
});
afterAll(() => api.stop());

const context = () => testActivityContext(api.database, api.config);
type Announce = Parameters<typeof createQueueOwner>[1];
const startOwner = (announce: Announce = async () => undefined) =>
  createQueueOwner(context(), announce);

/** Until there is nothing left to do. */
async function placeAll(owner = startOwner()): Promise<typeof owner> {
  while ((await owner()) > 0);
  return owner;
}

const OFF_DUTY = { time_zone: zoneAtNoon(), working_hours: { 'mon-sun': '03:00-04:00' } };

/** Agents whose hours are over, and as many leads that wait for them; returned in the order of the queue. */
async function waiting(agents: number, leads: number) {
  const made = await makeAgents(api.database, agents, OFF_DUTY);
  const teamId = await makeTeam(api.database, made);
  const source = `Source ${randomUUID()}`;
  await activateRules(api.database, [
    {
      when: [[{ field: 'source', op: 'in', values: [await makeSource(api.database, source)] }]],
      target: { kind: 'team', teamId },
      gates: { availability: 'working_hours' },
      followUp: { minutes: 0 },
      onExhausted: { kind: 'wait', atMostMinutes: 3000 },
    },
  ]);
  const activities = createLeadActivities(context());
  const leadIds: string[] = [];
  for (let at = 0; at < leads; at += 1) {
    const { id: leadId } = await api.create({ source });
    await activities.routeLead({ leadId });
    leadIds.push(leadId);
  }
  const ids = made.map(({ id }) => id);
  const giveRoom = async (daily_cap: number) => {
    const text = `update agents set working_hours = '{}', daily_cap = $2 where id = any ($1)`;
    await api.database.query(text, [ids, daily_cap]);
    await bumpReferenceVersion(api.database);
  };
  return { leadIds, giveRoom };
}

/** As if the worker that holds the lease had renewed it, or frozen so long ago that it is over. */
const leaseUntil = (interval: '1 hour' | '0') =>
  api.database.query(`update worker_leases set expires_at = now() + $1::interval`, [interval]);

const placed = () =>
  api.database.query<{ leads: number; most: number }>(
    `select count(distinct lead_id)::int as leads, coalesce(max(times), 0)::int as most from (
       select lead_id, count(*) as times from assignments where status = 'assigned' group by 1) a`,
  );

test('of two workers one places the leads, and the other takes over when its lease is over', async () => {
  const { leadIds, giveRoom } = await waiting(2, 30);
  await giveRoom(8);
  const [first, second] = [startOwner(), startOwner()];
  await first();
  expect(await placed()).toEqual([{ leads: 16, most: 1 }]);
  await giveRoom(15);
  await leaseUntil('1 hour');
  expect(await second()).toBe(0);
  await leaseUntil('0');
  await second();
  await leaseUntil('1 hour');
  expect(await first()).toBe(0);
  expect(await placed()).toEqual([{ leads: leadIds.length, most: 1 }]);
});

test('a worker that ends between two transactions loses nothing: the next one goes on', async () => {
  const { leadIds, giveRoom } = await waiting(3, 25);
  await giveRoom(20);
  let untold = 0;
  const ends = startOwner(async (rows) => {
    untold = rows.length;
    throw new Error('killed');
  });
  await expect(ends()).rejects.toThrow('killed');
  await leaseUntil('0');
  const goesOn = startOwner(async (rows) =>
    deleteOutboxRows(
      api.database,
      rows.map(({ id }) => id),
    ),
  );
  await placeAll(goesOn);
  expect(await placed()).toEqual([{ leads: leadIds.length, most: 1 }]);
  // The relay signals the workflows of the leads of which it did not tell.
  const left = await api.database.query(`select from lead_outbox where event = 'routed'`);
  expect(untold).toBeGreaterThan(0);
  expect(left).toHaveLength(untold);
});

test('after an import that frees nobody the queue is looked through once', async () => {
  const { leadIds } = await waiting(2, 12);
  const owner = await placeAll();
  await bumpReferenceVersion(api.database);
  expect(await readWakeup(api.database, new Date())).not.toBeNull();
  expect(await owner()).toBe(0);
  expect(await readWakeup(api.database, new Date())).toBeNull();
  expect(await api.database.query('select from waiting_leads')).toHaveLength(leadIds.length);
});

test('a worker that finds nobody for the leads that it looks through keeps its lease', async () => {
  await waiting(1, 1);
  const owner = await placeAll();
  await bumpReferenceVersion(api.database);
  const looks: string[] = [];
  const stop = api.database.onStatement((text) => {
    if (text.includes('worker_leases')) looks.push('lease');
    if (text.includes('from waiting_leads w\n')) looks.push('page');
  });
  expect(await owner()).toBe(0);
  stop();
  expect(looks).toEqual(['lease', 'page', 'lease', 'page']);
});

test('a lead for which nothing is left to decide leaves the queue', async () => {
  const { leadIds, giveRoom } = await waiting(1, 2);
  const text = `update leads set assignment_status = 'unassigned' where id = $1`;
  await api.database.query(text, [leadIds[0]]);
  await api.database.query('update waiting_leads set due_at = now()');
  await giveRoom(5);
  await placeAll();
  expect(await api.database.query('select from waiting_leads')).toEqual([]);
  expect(await placed()).toEqual([{ leads: 1, most: 1 }]);
});

test('a lead whose decision fails holds up no other', async () => {
  const { leadIds, giveRoom } = await waiting(1, 12);
  // Its decision cannot be written: the history has one of that round already.
  const id = String(leadIds[4]);
  await api.database.query(
    `insert into assignments (id, lead_id, round, move, status, decided_by, reason, decided_at)
     values ($1, $1, 1, 0, 'unassigned', 'rules', '', now())`,
    [id],
  );
  await giveRoom(20);
  await placeAll();
  expect(await placed()).toEqual([{ leads: 11, most: 1 }]);
  const left = await api.database.query(
    `select lead_id, due_at > now() as "isLater" from waiting_leads`,
  );
  expect(left).toEqual([{ lead_id: id, isLater: true }]);
  expect(await api.database.query('select from waiting_wakeups')).toEqual([]);
});

test('an agent freed during a look through the queue is offered to its head first', async () => {
  const { leadIds, giveRoom } = await waiting(1, 130);
  let looks = 0;
  const order: string[] = [];
  const owner = startOwner(async (rows) => {
    order.push(...rows.map(({ leadId }) => leadId));
    if ((looks += 1) === 2) await giveRoom(120);
  });
  await giveRoom(15);
  await placeAll(owner);
  // Those whose wait changed are told too.
  const owners = await api.database.query<{ id: string }>(
    `select id from leads where id = any ($1) and owner_id is not null`,
    [leadIds],
  );
  expect(new Set(owners.map(({ id }) => id))).toEqual(new Set(leadIds.slice(0, 120)));
  const first = new Set(leadIds.slice(0, 120));
  const assigned = order.filter((id, at) => first.has(id) && order.lastIndexOf(id) === at);
  expect(assigned).toEqual(leadIds.slice(0, 120));
});

test('decisions that find their agents locked come back, and leave connections to others', async () => {
  const { leadIds, giveRoom } = await waiting(1, 20);
  await giveRoom(1);
  const { database } = api;
  const lockAgents = (sql: Sql) => sql.query('select id from agents for no key update');
  const routeAll = ({ routeLead }: LeadActivities) =>
    leadIds.map((leadId) => routeLead({ leadId }));
  await database.transaction(async (sql) => {
    await lockAgents(sql);
    const locked = { type: 'Locked', nextRetryDelay: expect.any(Number) };
    const outcomes = await Promise.allSettled(routeAll(createLeadActivities(context())));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: locked });
  });
  let settled = 0;
  const { attempts } = await database.transaction(async (sql) => {
    await lockAgents(sql);
    const counted = routeAll(leadActivities(api)).map((attempt) =>
      attempt.finally(() => (settled += 1)),
    );
    const attempts = Promise.allSettled(counted);
    await waitForLockWaits(database);
    await database.query('select 1');
    expect(settled).toBe(0);
    return { attempts };
  });
  expect((await attempts)[0]).toMatchObject({ value: { status: 'assigned' } });
});
