import { randomUUID } from 'node:crypto';
import { differences } from '../../../domain/routing/recompute.ts';
import { countMoved, insertHandOver } from '../../../store/assignment/hand-overs.ts';
import { readTakenFrom } from '../../../store/assignment/lock-lead.ts';
import {
  countEarlierWaits,
  QUEUE_LEASE,
  WAIT_OF_LEAD,
  wakeWaitingLeads,
} from '../../../store/leads/waiting-leads.ts';
import { bumpReferenceVersion } from '../../../store/catalogue/reference-version.ts';
import type { Sql } from '../../../store/db/database.ts';
import { holdLease } from '../../../store/db/leases.ts';
import { readDecisionsSince, readWaitsSince } from '../../../store/routing/stored-decisions.ts';
import { deleteOutboxRows, remindOverdue } from '../../../store/leads/outbox.ts';
import { stateGauges } from '../../../store/leads/work-states.ts';
import { readResponses } from '../../../store/reporting/read-responses.ts';
import { createQueueOwner } from '../../../worker/waiting-leads.ts';
import { setPaused, addAbsence } from '../../../store/routing/agents.ts';
import { activateRuleset } from '../../../store/routing/rulesets.ts';
import { startTestApi } from '../../support/api.ts';
import { handOverRequest } from '../../support/hand-over.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { leadActivities, patient, testActivityContext } from '../../support/worker.ts';

const api = await startTestApi();
afterEach(async () => {
  const { rulesets } = contextAt(new Date());
  for (const decisions of [readDecisionsSince, readWaitsSince])
    for await (const stored of decisions(api.database, new Date(0))) {
      const ruleset = await rulesets.byVersion(api.database, stored.rulesetVersion);
      expect(differences(stored, ruleset)).toEqual([]);
    }
  for (const table of ['lead_waits', 'waiting_leads', 'waiting_wakeups'])
    await api.database.query(`delete from ${table}`);
  await api.database.query('delete from lead_outbox');
  await api.database.query(
    `update leads set assignment_status = 'unassigned', pool_id = null where owner_id is null`,
  );
});
afterAll(() => api.stop());

/** On a busy machine locks are held for so long that the queue would go on without the team. */
const contextAt = (now: Date) => testActivityContext(patient(api.database), api.config, () => now);
const activitiesAt = (time: string) => leadActivities(api, () => new Date(time));

/** As the owner of the queue does at that time; returns the leads whose workflows it told. */
async function placeAllAt(time: string): Promise<string[]> {
  const told: string[] = [];
  const place = createQueueOwner(contextAt(new Date(time)), async (rows) => {
    for (const { id, leadId } of rows) {
      told.push(leadId);
      await deleteOutboxRows(api.database, [id]);
    }
  });
  while ((await place()) > 0);
  await api.database.query(`delete from worker_leases`);
  return told;
}
const workingHours = { 'mon-fri': '09:00-18:00' };
const EVENING = '2026-03-02T17:00:00Z';
const OPENING = '2026-03-03T05:00:00Z';

const create = async (fields: object = {}): Promise<string> => (await api.create(fields)).id;

async function waitFor(
  agents: readonly Record<string, unknown>[],
  { gates = { availability: 'working_hours' } as object, atMostMinutes = 720 } = {},
) {
  const made: Awaited<ReturnType<typeof makeAgent>>[] = [];
  for (const agent of agents)
    made.push(await makeAgent(api.database, { time_zone: 'Asia/Dubai', ...agent }));
  const teamId = await makeTeam(api.database, made);
  const poolId = await makePool(api.database);
  const onExhausted = { kind: 'wait', atMostMinutes, then: { kind: 'pool', poolId } };
  await activateRules(api.database, [{ target: { kind: 'team', teamId }, gates, onExhausted }]);
  return made;
}

const holders = (leadIds: readonly string[]) =>
  api.database.query<{ id: string; owner: string | null }>(
    `select l.id, l.owner_id as owner from leads l join unnest($1::uuid[]) with ordinality o (id, at) using (id) order by at`,
    [leadIds],
  );

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

test('rules that are taken back leave the lead waiting by them, not by those that came between', async () => {
  await waitFor([{ working_hours: workingHours }]);
  const first = await activeVersion();
  const leadId = await create();
  await activitiesAt(EVENING).routeLead({ leadId });
  const later = await makeAgent(api.database, {
    time_zone: 'Asia/Dubai',
    working_hours: { 'mon-fri': '08:00-18:00' },
  });
  const teamId = await makeTeam(api.database, [later]);
  const onExhausted = { kind: 'wait', atMostMinutes: 1440, then: { kind: 'unassigned' } };
  const target = { kind: 'team', teamId };
  const gates = { availability: 'working_hours' };
  await activateRules(api.database, [{ name: 'Between', target, gates, onExhausted }]);
  const waitAt = async (time: string) => {
    expect(await countEarlierWaits(api.database)).toBe(1);
    await bumpReferenceVersion(api.database);
    await placeAllAt(time);
    expect(await countEarlierWaits(api.database)).toBe(0);
    const lead = await activitiesAt(time).routeLead({ leadId });
    return { version: await waitVersion(leadId), waitDueAtMs: lead?.waitDueAtMs };
  };
  expect(await waitAt('2026-03-02T18:00:00Z')).toEqual({
    version: first + 1,
    waitDueAtMs: Date.parse('2026-03-03T04:00:00Z'),
  });
  await api.database.query(
    `insert into routing_activations (version, author, activated_at) values ($1, 'test', now())`,
    [first],
  );
  expect(await waitAt('2026-03-02T19:00:00Z')).toEqual({
    version: first,
    waitDueAtMs: Date.parse(OPENING),
  });
});

async function activeVersion(): Promise<number> {
  const row = await api.database.queryOne<{ version: number }>(
    `select version from routing_activations order by id desc limit 1`,
  );
  return row?.version ?? 0;
}

/** The version of the rules by which the lead waits now. */
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

test('when its time is over it goes where the rule says', async () => {
  const [agent] = await waitFor([{ working_hours: workingHours }]);
  const leadId = await create();
  await activitiesAt(EVENING).routeLead({ leadId });
  await api.database.query('update agents set paused_at = now() where id = $1', [agent?.id]);
  const endsAtMs = Date.parse(OPENING);
  expect(await activitiesAt('2026-03-03T04:59:00Z').routeLead({ leadId })).toMatchObject({
    status: 'pending',
    waitDueAtMs: endsAtMs,
  });
  expect(await activitiesAt(OPENING).routeLead({ leadId })).toMatchObject({ status: 'pool' });
});

test('the reconciler leaves a lead that waits to the owner of the queue', async () => {
  await waitFor([{ working_hours: workingHours }]);
  const leadId = await create();
  await activitiesAt(EVENING).routeLead({ leadId });
  await api.database.query('delete from lead_outbox');
  const remindAt = async (time: string) =>
    remindOverdue(api.database, { now: new Date(time), overdueBefore: new Date(time) });
  await api.database.query(`update leads set merge_window_closed_at = now() where id = $1`, [
    leadId,
  ]);
  expect(await remindAt('2026-03-03T05:01:00Z')).toMatchObject({ reminded: 0 });
  expect(await placeAllAt(OPENING)).toEqual([leadId]);
});

test('new details of a waiting lead whose run ended before it routed them are routed within minutes, not at the end of the wait', async () => {
  await waitFor([{ working_hours: workingHours }]);
  const leadId = await create();
  await activitiesAt(EVENING).routeLead({ leadId });
  api.setNow(new Date(EVENING));
  const { body } = await api.call('PUT', `/public/leads/${leadId}`, { body: { priority: 'high' } });
  api.setNow(null);
  expect(body).toMatchObject({ rerouted: true });
  await api.database.query('delete from lead_outbox');
  const remindAt = async (time: string) =>
    remindOverdue(api.database, { now: new Date(time), overdueBefore: new Date(time) });
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

test('of 200 that wait those go first that came first when ten caps are free, and none is exceeded', async () => {
  const agents = await waitFor(
    Array.from({ length: 10 }, () => ({ daily_cap: 1 })),
    { gates: { availability: 'ignore' }, atMostMinutes: 2000 },
  );
  const activities = activitiesAt(EVENING);
  const first = await Promise.all(Array.from({ length: 10 }, () => create()));
  for (const leadId of first) await activities.routeLead({ leadId });
  const waiting: string[] = [];
  for (let lead = 0; lead < 200; lead += 1) waiting.push(await create());
  for (const [at, leadId] of waiting.entries()) {
    const time = new Date(Date.parse(EVENING) + 1000 + at).toISOString();
    await activitiesAt(time).routeLead({ leadId });
  }
  await api.database.query('delete from lead_outbox');
  await api.database.query('update agents set daily_cap = 2 where id = any ($1)', [
    agents.map(({ id }) => id),
  ]);
  await bumpReferenceVersion(api.database);

  // The queue, some that are routed for another reason, and a newcomer, all at once.
  const newcomer = await create();
  const later = activitiesAt('2026-03-02T17:05:00Z');
  const [told] = await Promise.all([
    placeAllAt('2026-03-02T17:05:00Z'),
    ...[150, 70, 12].map((at) => later.routeLead({ leadId: waiting[at] ?? '' })),
    later.routeLead({ leadId: newcomer }),
  ]);
  const owners = await holders([...waiting, newcomer]);
  expect(owners.map(({ owner }) => owner !== null)).toEqual([
    ...Array.from({ length: 10 }, () => true),
    ...Array.from({ length: 191 }, () => false),
  ]);
  expect(new Set(owners.slice(0, 10).map(({ owner }) => owner)).size).toBe(10);
  // What others wait until may have changed: their pages follow.
  expect(told.slice(0, 10)).toEqual(waiting.slice(0, 10));
});

test('a lead goes past those that wait for somebody else of the same team', async () => {
  const [asleep, awake] = await waitFor([{ working_hours: workingHours, languages: ['ar'] }, {}], {
    gates: { availability: 'working_hours', language: 'require' },
  });
  const arabic = await create({ languages: ['ar'] });
  expect(await activitiesAt(EVENING).routeLead({ leadId: arabic })).toMatchObject({
    status: 'pending',
  });
  const english = await create();
  expect(await activitiesAt(EVENING).routeLead({ leadId: english })).toMatchObject({
    status: 'assigned',
    agentId: awake?.id,
  });
  expect(await placeAllAt(OPENING)).toEqual([arabic]);
  expect((await holders([arabic]))[0]?.owner).toBe(asleep?.id);
});

test('a response that frees its agent gives the lead that has waited longest to it', async () => {
  await waitFor([{ open_cap: 1, working_hours: {} }, { working_hours: workingHours }]);
  const activities = activitiesAt('2026-03-02T17:02:00Z');
  const [held, oldest, other] = [await create(), await create(), await create()];
  for (const leadId of [held, oldest]) await activitiesAt(EVENING).routeLead({ leadId });
  await activities.routeLead({ leadId: other });
  await api.database.query('delete from lead_outbox');
  const respond = { body: { seconds: 30 } };
  await api.call('POST', `/public/leads/${held}/response-time`, respond);
  expect(await placeAllAt('2026-03-02T17:03:00Z')).toEqual([oldest]);
  expect((await holders([other]))[0]?.owner).toBeNull();
});

test('a lead that an operator sends back to the rules waits for another agent than its holder', async () => {
  const [holder, asleep] = await waitFor([{}, { working_hours: workingHours }]);
  const leadId = await create();
  const activities = activitiesAt(EVENING);
  expect(await activities.routeLead({ leadId })).toMatchObject({ status: 'assigned' });
  const handOverId = await requestReroute({ leadId });
  const handOver = () => activities.handOverLead({ leadId, handOverId });
  expect(await handOver()).toEqual({ moved: true, to: { kind: 'waiting' } });
  expect(await handOver()).toEqual({ moved: true, to: { kind: 'waiting' } });
  expect(await activities.routeLead({ leadId })).toMatchObject({ status: 'pending', round: 2 });
  expect(await activitiesAt(OPENING).routeLead({ leadId })).toMatchObject({
    status: 'assigned',
    agentId: asleep?.id,
    round: 2,
  });
  const history = await api.database.query(
    `select round, move, status, previous_agent_id as previous from assignments where lead_id = $1 order by round, move`,
    [leadId],
  );
  expect(history).toEqual([
    { round: 1, move: 0, status: 'assigned', previous: null },
    { round: 1, move: 1, status: 'unassigned', previous: holder?.id },
    { round: 2, move: 0, status: 'assigned', previous: holder?.id },
  ]);
  const events = await api.database.query<{ type: string; data: object }>(
    `select type, body::jsonb -> 'data' as data from webhook_events where lead_id = $1 order by sequence`,
    [leadId],
  );
  expect(events.slice(2)).toMatchObject([
    { type: 'lead.unassigned', data: { reason: 'waiting', sequence: 3 } },
    { type: 'lead.assigned', data: { previousAgentId: holder?.id, sequence: 4 } },
  ]);
});

async function requestReroute(over: Parameters<typeof handOverRequest>[1], at = EVENING) {
  const request = handOverRequest({ kind: 'rules' }, { now: new Date(at), ...over });
  await insertHandOver(api.database, request);
  return request.id;
}

test('a release counts the leads that wait once', async () => {
  const [holder] = await waitFor([{}, { working_hours: workingHours }]);
  const leadId = await create();
  await activitiesAt(EVENING).routeLead({ leadId });
  const handOverId = await requestReroute({ releasedAgentId: holder?.id ?? null });
  await activitiesAt(EVENING).handOverLead({ leadId, handOverId });
  expect(await countMoved(api.database, handOverId)).toEqual([
    { to: { kind: 'waiting' }, leads: 1 },
  ]);
});

test('a lead that waits after a reroute has no outcome in reports and gauges', async () => {
  await waitFor([{}, { working_hours: workingHours }]);
  const leadId = await create();
  await activitiesAt(EVENING).routeLead({ leadId });
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
  const handOverId = await requestReroute({ leadId });
  await activitiesAt(EVENING).handOverLead({ leadId, handOverId });
  expect(await outcomes()).toEqual(before);
});

test('whoever held the lead long enough ends an exclusion, though the clock of the operator was ahead', async () => {
  const [holder, asleep] = await waitFor([{}, { working_hours: workingHours }]);
  const leadId = await create();
  await activitiesAt(EVENING).routeLead({ leadId });
  const handOverId = await requestReroute({ leadId }, '2026-03-03T17:00:00Z');
  await activitiesAt(EVENING).handOverLead({ leadId, handOverId });
  expect(await activitiesAt(OPENING).routeLead({ leadId })).toMatchObject({ agentId: asleep?.id });
  const takenFrom = (time: string) =>
    readTakenFrom(api.database, leadId, { now: new Date(time), followUpMs: api.config.followUpMs });
  expect(await takenFrom(OPENING)).toMatchObject([{ email: holder?.email }]);
  expect(await takenFrom('2026-03-20T09:00:00Z')).toEqual([]);
});

test('an exclusion holds that an earlier release kept with the wait alone', async () => {
  const [holder] = await waitFor([{}, { working_hours: workingHours }]);
  const leadId = await create();
  await activitiesAt(EVENING).routeLead({ leadId });
  await activitiesAt(EVENING).handOverLead({
    leadId,
    handOverId: await requestReroute({ leadId }),
  });
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
      const leadId = await create({ languages: [language] });
      await activitiesAt(EVENING).routeLead({ leadId });
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

test('a waiting lead that is locked for a moment is looked at again', async () => {
  const [early] = await waitForTwo();
  const { agentId = '', leadId = '' } = early ?? {};
  await api.database.transaction(async (sql) => {
    await sql.query('update leads set updated_at = updated_at where id = $1', [leadId]);
    await api.database.query('update agents set daily_cap = 9 where id = $1', [agentId]);
    await wakeWaitingLeads(api.database, agentId);
    expect(await placeAllAt('2026-03-02T17:01:00Z')).toEqual([]);
  });
  expect(await placeAllAt('2026-03-02T17:02:00Z')).toEqual([leadId]);
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
  expect(await holders([leadId])).toMatchObject([{ owner: agent?.id }]);
});

test('the newest wait holds, though the clock of the worker that decided it is behind', async () => {
  const [agent] = await waitFor([{ working_hours: workingHours }]);
  const leadId = await create();
  await activitiesAt('2026-03-02T17:00:02Z').routeLead({ leadId });
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
    const routed = activitiesAt('2026-03-02T08:00:00Z').routeLead({ leadId: await create() });
    expect(await routed).toMatchObject({ status: 'assigned', agentId: fine.id });
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
