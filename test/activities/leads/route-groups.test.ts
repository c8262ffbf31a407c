import { randomUUID } from 'node:crypto';
import { createLeadActivities } from '../../../activities/leads/lead-activities.ts';
import { rulesCommands } from '../../../cli/rules.ts';
import { QUEUE_LEASE } from '../../../store/leads/waiting-leads.ts';
import { holdLease } from '../../../store/db/leases.ts';
import { leadctlFor } from '../../cli/leadctl.ts';
import { startTestApi } from '../../support/api.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import { activateRules, makeAgent, makeAgents, makeTeam } from '../../support/routing.ts';
import { leadActivities, testActivityContext, untilRouted } from '../../support/worker.ts';
import { zoneAtNoon } from '../../support/working-time.ts';

const api = await startTestApi();
afterAll(() => api.stop());

/** One whose attempts fail where they find a lock. It decides leads together for as long as there are some. */
const startWorker = () =>
  createLeadActivities(testActivityContext(api.database, api.config), { longestMs: 60_000 });

async function createLeads(count: number): Promise<string[]> {
  const leads: string[] = [];
  while (leads.length < count) leads.push((await api.create()).id);
  return leads;
}

/** A team of its own that all further leads go to; the ids of its agents. */
async function startTeam(count: number): Promise<string[]> {
  const agents = await makeAgents(api.database, count);
  const teamId = await makeTeam(api.database, agents);
  await activateRules(api.database, [{ target: { kind: 'team', teamId } }]);
  return agents.map(({ id }) => id);
}

const readDecided = (leads: readonly string[]) =>
  api.database.query<{ leadId: string; agentId: string; at: Date }>(
    `select lead_id as "leadId", agent_id as "agentId", decided_at as at from assignments
     where lead_id = any ($1) order by decided_at`,
    [leads],
  );

test('leads of one team that wait are decided together: each from what the one before left, no cap exceeded', async () => {
  const [capped, first, second] = [
    await makeAgent(api.database, { daily_cap: 3, time_zone: zoneAtNoon() }),
    await makeAgent(api.database, { open_cap: 100 }),
    await makeAgent(api.database),
  ];
  const teamId = await makeTeam(api.database, [capped, first, second]);
  await activateRules(api.database, [{ target: { kind: 'team', teamId } }]);
  const leads = await createLeads(33);
  // One that another transaction holds is waited for, and holds up no other.
  const held = leads[5] ?? '';
  const others = leads.filter((id) => id !== held);
  const locks: string[] = [];
  const stop = api.database.onStatement((text) => {
    if (/from agents\s+where id = any .*for no key update/s.test(text)) locks.push(text);
  });
  const { routeLead } = startWorker();
  await api.database.transaction(async (sql) => {
    await sql.query(`select id from leads where id = $1 for no key update`, [held]);
    const refused = expect(routeLead({ leadId: held })).rejects.toMatchObject({ type: 'Locked' });
    await Promise.all([
      refused,
      ...others.map((leadId) => untilRouted(() => routeLead({ leadId }))),
    ]);
  });
  stop();
  expect(locks.length).toBeLessThan(others.length);
  await routeLead({ leadId: held });

  const decided = await api.database.query<{
    agentId: string;
    today: number | null;
    open: number | null;
  }>(
    `select a.agent_id as "agentId", (agent -> 'assignedToday')::int as today, (agent -> 'openLeads')::int as open
     from assignments a join routing_decisions d on d.assignment_id = a.id,
       jsonb_array_elements(d.roster -> 'agents') g (agent)
     where a.lead_id = any ($1) and agent ->> 'id' = a.agent_id::text order by a.decided_at`,
    [leads],
  );
  const of = (id: string) => decided.filter(({ agentId }) => agentId === id);
  expect(of(capped.id).map(({ today }) => today)).toEqual([0, 1, 2]);
  expect(of(first.id).map(({ open }) => open)).toEqual(of(first.id).map((_, at) => at));
  expect([of(first.id).length, of(second.id).length].toSorted()).toEqual([15, 15]);
  // Turns go round: the first nine decisions are three rounds.
  expect(new Set(decided.slice(0, 3).map(({ agentId }) => agentId)).size).toBe(3);
  const times = await api.database.query(
    `select distinct decided_at from assignments where lead_id = any ($1)`,
    [leads],
  );
  expect(times).toHaveLength(33);
  const rules = leadctlFor([rulesCommands], { DATABASE_URL: api.config.database.url });
  expect((await rules('rules', 'check', '--since', '1h')).text).toContain('all come out the same');
});

test('two workers that decide leads of one team at once share its turns', async () => {
  const agents = await startTeam(4);
  const leads = await createLeads(40);
  const workers = [startWorker(), startWorker()];
  await Promise.all(
    leads.map((leadId, n) => untilRouted(async () => workers[n % 2]?.routeLead({ leadId }))),
  );
  const decided = await readDecided(leads);
  expect(decided).toHaveLength(leads.length);
  for (let n = 0; n < decided.length; n += agents.length)
    expect(new Set(decided.slice(n, n + agents.length).map(({ agentId }) => agentId)).size).toBe(4);
  expect(new Set(decided.map(({ at }) => at.getTime())).size).toBe(leads.length);
});

test('a lead that cannot be decided fails alone', async () => {
  await startTeam(2);
  const leads = await createLeads(12);
  const broken = leads[4] ?? '';
  // Its first assignment is there already, though the lead knows of none.
  await api.database.query(
    `insert into assignments (id, lead_id, round, move, status, decided_by, reason, decided_at)
     values (gen_random_uuid(), $1, 1, 0, 'unassigned', 'rules', 'broken', now())`,
    [broken],
  );
  const { routeLead } = leadActivities(api);
  const outcomes = await Promise.allSettled(leads.map((leadId) => routeLead({ leadId })));
  expect(outcomes.map(({ status }) => status)).toEqual(
    leads.map((id) => (id === broken ? 'rejected' : 'fulfilled')),
  );
  const others = leads.filter((id) => id !== broken);
  expect((await readDecided(others)).map(({ leadId }) => leadId).toSorted()).toEqual(
    others.toSorted(),
  );
});

test('leads whose decision is cut off are decided once, when they come back', async () => {
  const [agentId = ''] = await startTeam(2);
  const leads = await createLeads(12);
  const { routeLead } = leadActivities(api);
  const routeAll = () => Promise.allSettled(leads.map((leadId) => routeLead({ leadId })));
  let first: ReturnType<typeof routeAll> | undefined;
  await api.database.transaction(async (sql) => {
    await sql.query(`select id from agents where id = $1 for no key update`, [agentId]);
    first = routeAll();
    await waitForLockWaits(api.database);
    await api.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    );
  });
  expect((await first)?.some(({ status }) => status === 'rejected')).toBe(true);
  expect((await routeAll()).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect(await readDecided(leads)).toHaveLength(leads.length);
});

test('a lead that the owner of the queue looks at holds up no other', async () => {
  await startTeam(2);
  const [looked = '', other = ''] = await createLeads(2);
  const { database } = api;
  await database.query(
    `insert into waiting_leads (lead_id, since, due_at, team_ids, agent_ids, reference_version)
     values ($1, now(), now() - interval '1 minute', '{}', '{}', 1)`,
    [looked],
  );
  const { routeLead } = leadActivities(api);
  await holdLease(database, { name: QUEUE_LEASE, holder: randomUUID(), seconds: 60 });
  await database.transaction(async (sql) => {
    await sql.query(`select from waiting_leads where lead_id = $1 for update`, [looked]);
    await Promise.all([looked, other].map((leadId) => routeLead({ leadId })));
  });
  expect((await readDecided([looked, other])).map(({ leadId }) => leadId)).toEqual([other]);
});

test('a decision that waited for its turn bears the time of its turn', async () => {
  const [agentId = ''] = await startTeam(1);
  const [leadId = ''] = await createLeads(1);
  const turnAt = new Date(Date.now() + 60_000);
  let now = new Date();
  const { routeLead } = leadActivities(api, () => now);
  const { routed } = await api.database.transaction(async (sql) => {
    await sql.query(`select id from agents where id = $1 for no key update`, [agentId]);
    const routing = routeLead({ leadId });
    await waitForLockWaits(api.database);
    now = turnAt;
    return { routed: routing };
  });
  await routed;
  expect(await readDecided([leadId])).toEqual([{ leadId, agentId, at: turnAt }]);
});
