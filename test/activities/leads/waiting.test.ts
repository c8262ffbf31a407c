import { randomUUID } from 'node:crypto';
import { countMoved } from '../../../store/assignment/hand-overs.ts';
import { readTakenFrom } from '../../../store/assignment/lock-lead.ts';
import { QUEUE_LEASE, WAIT_OF_LEAD, wakeWaitingLeads } from '../../../store/leads/waiting-leads.ts';
import type { Sql } from '../../../store/db/database.ts';
import { holdLease } from '../../../store/db/leases.ts';
import { remindOverdue } from '../../../store/leads/outbox.ts';
import { stateGauges } from '../../../store/leads/work-states.ts';
import { readResponses } from '../../../store/reporting/read-responses.ts';
import { setPaused, addAbsence } from '../../../store/routing/agents.ts';
import { activateRuleset } from '../../../store/routing/rulesets.ts';
import { startTestApi } from '../../support/api.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import {
  activateRules,
  expectSameAgain,
  makeAgent,
  makePool,
  makeTeam,
  type TestAgent,
} from '../../support/routing.ts';
import { openDesk } from './desk.ts';

const api = await startTestApi();
const { activitiesAt, handOverAt, placeAllAt, routeAt } = openDesk(api);
afterEach(async () => {
  await expectSameAgain(api.database);
  for (const table of ['lead_waits', 'waiting_leads', 'waiting_wakeups', 'lead_outbox'])
    await api.database.query(`delete from ${table}`);
  await api.database.query(
    `update leads set assignment_status = 'unassigned', pool_id = null where owner_id is null`,
  );
});
afterAll(() => api.stop());

const workingHours = { 'mon-fri': '09:00-18:00' };
const EVENING = '2026-03-02T17:00:00Z';
const OPENING = '2026-03-03T05:00:00Z';

const create = async (): Promise<string> => (await api.create()).id;

async function waitFor(
  agents: readonly Record<string, unknown>[],
  gates: object = { availability: 'working_hours' },
) {
  const made: TestAgent[] = [];
  for (const agent of agents)
    made.push(await makeAgent(api.database, { time_zone: 'Asia/Dubai', ...agent }));
  const teamId = await makeTeam(api.database, made);
  const poolId = await makePool(api.database);
  const onExhausted = { kind: 'wait', atMostMinutes: 720, then: { kind: 'pool', poolId } };
  await activateRules(api.database, [{ target: { kind: 'team', teamId }, gates, onExhausted }]);
  return made;
}

const remindAt = (time: string) =>
  remindOverdue(api.database, { now: new Date(time), overdueBefore: new Date(time) });

test('a lead waits pending until somebody can take it, and is asked for less often', async () => {
  const [agent] = await waitFor([{ working_hours: workingHours }]);
  const leadId = await create();
  const dueAtMs = Date.parse(OPENING);
  expect(await activitiesAt(EVENING).routeLead({ leadId })).toMatchObject({
    status: 'pending',
    waitDueAtMs: dueAtMs,
    reasons: [expect.stringMatching(/^Rule 'Rule 1' waits until 2026-03-03 05:00 UTC for agent /)],
  });
  const { body } = await api.call('GET', `/public/leads/${leadId}/assignment`);
  expect(body).toMatchObject({ status: 'pending', agent: null, retryAfterSeconds: 60 });

  const again = await activitiesAt('2026-03-03T01:00:00Z').routeLead({ leadId });
  expect(again).toMatchObject({ status: 'pending', waitDueAtMs: dueAtMs });
  expect(await activitiesAt(OPENING).routeLead({ leadId })).toMatchObject({
    status: 'assigned',
    agentId: agent?.id,
    waitDueAtMs: null,
  });
});

async function activeVersion(): Promise<number> {
  const row = await api.database.queryOne<{ version: number }>(
    `select version from routing_activations order by id desc limit 1`,
  );
  return row?.version ?? 0;
}

async function waitVersion(leadId: string): Promise<number | undefined> {
  const row = await api.database.queryOne<{ version: number }>(
    `select w.ruleset_version as version from leads l, lateral (${WAIT_OF_LEAD}) w where l.id = $1`,
    [leadId],
  );
  return row?.version;
}

test('two attempts at once to route a lead leave one note of its wait', async () => {
  await waitFor([{ working_hours: workingHours }]);
  const leadId = await create();
  const { routeLead } = activitiesAt(EVENING);
  await Promise.all([routeLead({ leadId }), routeLead({ leadId })]);
  const notes = await api.database.query(
    `select id from timeline_notes where lead_id = $1 and kind = 'waiting'`,
    [leadId],
  );
  expect(notes).toHaveLength(1);
});

test('the reconciler leaves a lead that waits to the owner of the queue', async () => {
  await waitFor([{ working_hours: workingHours }]);
  const { leadId } = await routeAt(EVENING);
  await api.database.query('delete from lead_outbox');
  await api.database.query(`update leads set merge_window_closed_at = now() where id = $1`, [
    leadId,
  ]);
  expect(await remindAt('2026-03-03T05:01:00Z')).toMatchObject({ reminded: 0 });
  expect(await placeAllAt(OPENING)).toEqual([leadId]);
});

test('new details of a waiting lead whose run ended before it routed them are routed within minutes, not at the end of the wait', async () => {
  await waitFor([{ working_hours: workingHours }]);
  const { leadId } = await routeAt(EVENING);
  api.setNow(new Date(EVENING));
  const { body } = await api.call('PUT', `/public/leads/${leadId}`, { body: { priority: 'high' } });
  api.setNow(null);
  expect(body).toMatchObject({ rerouted: true });
  await api.database.query('delete from lead_outbox');
  expect(await remindAt('2026-03-02T17:01:00Z')).toMatchObject({ reminded: 1 });
  await activitiesAt('2026-03-02T17:01:00Z').routeLead({ leadId });
  await api.database.query('delete from lead_outbox');
  expect(await remindAt('2026-03-02T18:00:00Z')).toMatchObject({ reminded: 0 });
});

test('the run of a lead that is due leaves it to whoever looks through the queue, and looks later', async () => {
  const [agent] = await waitFor([{ working_hours: workingHours }]);
  const leadIds = [await create(), await create()];
  for (const leadId of leadIds) await activitiesAt(EVENING).routeLead({ leadId });
  const lease = { name: QUEUE_LEASE, holder: randomUUID(), seconds: 60 };
  expect(await holdLease(api.database, lease)).toBe(true);

  const [first, second] = leadIds.map((leadId) => activitiesAt(OPENING).routeLead({ leadId }));
  expect(await first).toMatchObject({ status: 'pending' });
  const checks = [(await first)?.waitCheckAtMs, (await second)?.waitCheckAtMs];
  for (const checkAtMs of checks)
    expect(checkAtMs).toBeGreaterThanOrEqual(Date.parse(OPENING) + 120_000);
  await holdLease(api.database, { ...lease, seconds: 0 });
  expect(await activitiesAt(OPENING).routeLead({ leadId: leadIds[0] ?? '' })).toMatchObject({
    status: 'assigned',
    agentId: agent?.id,
  });
});

test('a lead goes past those that wait for somebody else of the same team', async () => {
  const [asleep, awake] = await waitFor([{ working_hours: workingHours, languages: ['ar'] }, {}], {
    availability: 'working_hours',
    language: 'require',
  });
  const arabic = await routeAt(EVENING, { languages: ['ar'] });
  expect(arabic.status).toBe('pending');
  expect(await routeAt(EVENING)).toMatchObject({ status: 'assigned', agentId: awake?.id });
  expect(await placeAllAt(OPENING)).toEqual([arabic.leadId]);
  expect((await api.lead(arabic.leadId)).owner_id).toBe(asleep?.id);
});

test('a release counts the leads that wait once', async () => {
  const [holder] = await waitFor([{}, { working_hours: workingHours }]);
  const { leadId } = await routeAt(EVENING);
  const released = { releasedAgentId: holder?.id ?? null };
  const handOverId = await handOverAt(EVENING, leadId, { kind: 'rules' }, released);
  expect(await countMoved(api.database, handOverId)).toEqual([
    { to: { kind: 'waiting' }, leads: 1 },
  ]);
});

test('a lead that waits after a reroute has no outcome in reports and gauges', async () => {
  await waitFor([{}, { working_hours: workingHours }]);
  const { leadId } = await routeAt(EVENING);
  const outcomes = async () => {
    // Within the last hour, of which the gauge tells; afterwards as it was, so that it can be recomputed.
    const decided = await api.database.query<{ id: string; at: Date }>(
      `select id, decided_at as at from assignments where lead_id = $1`,
      [leadId],
    );
    const decide = (id: string, at: Date) =>
      api.database.query(`update assignments set decided_at = $2 where id = $1`, [id, at]);
    for (const { id } of decided) await decide(id, new Date());
    const gauge = stateGauges(api.database).find(
      ({ name }) => name === 'routing_outcomes_last_hour',
    );
    const unassigned = (await gauge?.read())?.find(({ label }) => label === 'unassigned');
    const period = { since: new Date(0), until: new Date('2099-01-01'), timeZone: 'UTC' };
    const rows = await readResponses(api.database, { by: 'rule', ...period });
    const byOperators = rows.find(({ key }) => key === 'no rule: operator');
    for (const { id, at } of decided) await decide(id, at);
    return { unassigned: unassigned?.value ?? 0, byOperators: byOperators?.leads ?? 0 };
  };
  const before = await outcomes();
  await handOverAt(EVENING, leadId, { kind: 'rules' });
  expect(await outcomes()).toEqual(before);
});

test('whoever held the lead long enough ends an exclusion, though the clock of the operator was ahead', async () => {
  const [holder, asleep] = await waitFor([{}, { working_hours: workingHours }]);
  const { leadId } = await routeAt(EVENING);
  const ahead = { now: new Date('2026-03-03T17:00:00Z') };
  await handOverAt(EVENING, leadId, { kind: 'rules' }, ahead);
  expect(await activitiesAt(OPENING).routeLead({ leadId })).toMatchObject({ agentId: asleep?.id });
  const takenFrom = (time: string) =>
    readTakenFrom(api.database, leadId, { now: new Date(time), followUpMs: api.config.followUpMs });
  expect(await takenFrom(OPENING)).toMatchObject([{ email: holder?.email }]);
  expect(await takenFrom('2026-03-20T09:00:00Z')).toEqual([]);
});

test('an exclusion holds that an earlier release kept with the wait alone', async () => {
  const [holder] = await waitFor([{}, { working_hours: workingHours }]);
  const { leadId } = await routeAt(EVENING);
  await handOverAt(EVENING, leadId, { kind: 'rules' });
  await api.database.query(`delete from assignments where lead_id = $1 and status = 'unassigned'`, [
    leadId,
  ]);
  const time = { now: new Date(EVENING), followUpMs: api.config.followUpMs };
  expect(await readTakenFrom(api.database, leadId, time)).toMatchObject([{ email: holder?.email }]);
});

/** Two rules with an agent each, both full, and a lead that waits for each of them. */
async function waitForTwo() {
  const made: { agentId: string; leadId: string }[] = [];
  const rules: object[] = [];
  const full = { daily_cap: 1, time_zone: 'Asia/Dubai' };
  const then = { kind: 'unassigned' };
  for (const language of ['ar', 'en']) {
    const { id: agentId } = await makeAgent(api.database, full);
    rules.push({
      name: language,
      order: rules.length,
      target: { kind: 'agent', agentId },
      when: [[{ field: 'language', op: 'in', values: [language] }]],
      onExhausted: { kind: 'wait', atMostMinutes: 5000, then },
    });
    made.push({ agentId, leadId: '' });
  }
  await activateRules(api.database, rules);
  for (const [at, language] of ['ar', 'en'].entries())
    for (let lead = 0; lead < 2; lead += 1) {
      const { leadId } = await routeAt(EVENING, { languages: [language] });
      Object.assign(made[at] ?? {}, { leadId });
    }
  await placeAllAt(EVENING);
  return made;
}

test('a change that is committed while the queue is looked through for a later one is not lost', async () => {
  const [early, late] = await waitForTwo();
  const raiseCap = async (sql: Sql, agentId = '') => {
    await sql.query('update agents set daily_cap = 9 where id = $1', [agentId]);
    await wakeWaitingLeads(sql, agentId);
  };
  await api.database.transaction(async (sql) => {
    await raiseCap(sql, early?.agentId);
    await api.database.transaction((other) => raiseCap(other, late?.agentId));
    expect(await placeAllAt('2026-03-02T17:01:00Z')).toEqual([late?.leadId]);
  });
  expect(await placeAllAt('2026-03-02T17:02:00Z')).toEqual([early?.leadId]);
  expect(await api.database.query('select from waiting_wakeups')).toEqual([]);
});

test('a wait that was decided while the rules changed is decided again by those in force', async () => {
  const [agent] = await waitFor([{ working_hours: workingHours }]);
  const [byWaiting, leadId] = [await activeVersion(), await create()];
  const target = { kind: 'agent', agentId: agent?.id };
  const version = await activateRules(api.database, [{ name: 'At any hour', target }]);
  const activate = (next: number) =>
    activateRuleset(api.database, { version: next, author: 'noor', now: NOW });
  await activate(byWaiting);
  const lock = 'select from agents where id = $1 for no key update';
  const routed = await api.database.transaction(async (sql) => {
    await sql.query(lock, [agent?.id]);
    const routing = activitiesAt(EVENING).routeLead({ leadId });
    await waitForLockWaits(api.database);
    await activate(version);
    await placeAllAt(EVENING);
    return { routing };
  });
  expect(await routed.routing).toMatchObject({ status: 'pending' });
  expect(await placeAllAt('2026-03-02T17:01:00Z')).toEqual([leadId]);
  expect((await api.lead(leadId)).owner_id).toBe(agent?.id);
});

test('the newest wait holds, though the clock of the worker that decided it is behind', async () => {
  const [agent] = await waitFor([{ working_hours: workingHours }]);
  const { leadId } = await routeAt('2026-03-02T17:00:02Z');
  const target = { kind: 'agent', agentId: agent?.id };
  const gates = { availability: 'working_hours' };
  const onExhausted = { kind: 'wait', atMostMinutes: 1440, then: { kind: 'unassigned' } };
  const renamed = [{ name: 'Renamed', target, gates, onExhausted }];
  const version = await activateRules(api.database, renamed);
  await placeAllAt('2026-03-02T17:00:01Z');
  expect(await waitVersion(leadId)).toBe(version);
});

test.each<[string, object]>([
  ['hours', { working_hours: { mon: 5 } }],
  ['hours of a day', { working_hours: { mon: null } }],
  ['a zone', { time_zone: 'Nowhere/Land' }],
])('an agent whose calendar has %s that cannot be read is left out alone', async (_, columns) => {
  await expectLeftOut(await makeAgent(api.database, { ...columns }));
});

test.each(['garbage', 'infinity'])(
  'an agent with an absence of "%s" is left out alone',
  async (to) => {
    const odd = await makeAgent(api.database);
    await api.database.query(
      `insert into agent_absences (agent_id, starts, ends) values ($1, $2, $2)`,
      [odd.id, to],
    );
    await expectLeftOut(odd);
  },
);

async function expectLeftOut(odd: { id: string; email: string }) {
  const fine = await makeAgent(api.database);
  const teamId = await makeTeam(api.database, [odd, fine]);
  const gates = { availability: 'working_hours' };
  const onExhausted = { kind: 'wait', atMostMinutes: 600, then: { kind: 'unassigned' } };
  await activateRules(api.database, [{ target: { kind: 'team', teamId }, gates, onExhausted }]);
  for (let lead = 0; lead < 2; lead += 1) {
    const routed = await routeAt('2026-03-02T08:00:00Z');
    expect(routed).toMatchObject({ status: 'assigned', agentId: fine.id });
  }
}

const NOW = new Date();
const ABSENCE = { from: '2026-03-01', to: '2026-03-02', note: null };

test.each<[string, (agentId: string, version: number) => Promise<unknown>]>([
  ['a pause', (agentId) => setPaused(api.database, agentId, NOW)],
  ['an absence', (agentId) => addAbsence(api.database, agentId, ABSENCE)],
  [
    'an activation of rules',
    (_, version) => activateRuleset(api.database, { version, author: 'noor', now: NOW }),
  ],
])('%s that is cut off before it wakes the waiting leads has not happened', async (_, change) => {
  const { database } = api;
  const agent = await makeAgent(database);
  const first = await activateRules(database, []);
  await activateRules(database, []);
  const state = () =>
    database.query(
      `select (select paused_at from agents where id = $1) as paused, (select max(id) from routing_activations) as activation,
         (select count(*) from agent_absences where agent_id = $1) as absences`,
      [agent.id],
    );
  const before = await state();
  await database.transaction(async (sql) => {
    await sql.query(`lock table waiting_wakeups, reference_state in exclusive mode`);
    const isCutOff = expect(change(agent.id, first)).rejects.toThrow();
    await waitForLockWaits(database);
    await sql.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    await isCutOff;
  });
  expect(await state()).toEqual(before);
});
