import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLeadActivities } from '../../../activities/leads/lead-activities.ts';
import { rulesCommands } from '../../../cli/rules.ts';
import { leadctlFor } from '../../cli/leadctl.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { waitForLockWaits } from '../../support/lock-waits.ts';
import { activateRules, makeAgent, makeTeam } from '../../support/routing.ts';
import { testActivityContext } from '../../support/worker.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

test('a decision that waited for its turn bears the time of its turn', async () => {
  const agent = await makeAgent(api.database);
  const teamId = await makeTeam(api.database, [{ agent }]);
  await activateRules(api.database, [{ target: { kind: 'team', teamId } }]);
  const { body: lead } = await api.call('POST', '/public/leads', {
    body: { leadPhones: ['+971501234567'] },
  });
  const turnAt = new Date(Date.now() + 60_000);
  let now = new Date();
  const route = createLeadActivities(
    testActivityContext(api.database, api.config, () => now),
  ).routeLead;

  let routed: Promise<unknown> | undefined;
  await api.database.transaction(async (sql) => {
    await sql.query(`select id from agents where id = $1 for no key update`, [agent.id]);
    routed = route({ leadId: lead.id });
    await waitForLockWaits(api.database);
    now = turnAt;
  });
  await routed;

  const decided = await api.database.query(
    `select agent_id, decided_at from assignments where lead_id = $1`,
    [lead.id],
  );
  expect(decided).toEqual([{ agent_id: agent.id, decided_at: turnAt }]);
});

test('leads of one team that wait are decided together: each from what the one before left, no cap exceeded', async () => {
  const [capped, first, second] = [
    await makeAgent(api.database, { daily_cap: 3 }),
    await makeAgent(api.database, { open_cap: 100 }),
    await makeAgent(api.database),
  ];
  const teamId = await makeTeam(
    api.database,
    [capped, first, second].map((agent) => ({ agent })),
  );
  await activateRules(api.database, [{ target: { kind: 'team', teamId } }]);
  const leads: string[] = [];
  for (let n = 0; n < 33; n += 1) {
    const body = { leadPhones: [`+9715022${10_000 + n}`] };
    leads.push((await api.call('POST', '/public/leads', { body })).body.id);
  }
  // One that another transaction holds is waited for, and holds up no other.
  const held = leads[5] ?? '';
  const others = leads.filter((id) => id !== held);
  const locks: string[] = [];
  const stop = api.database.onStatement((text) => {
    if (/from agents\s+where id = any .*for no key update/s.test(text)) locks.push(text);
  });
  const { routeLead } = createLeadActivities(testActivityContext(api.database, api.config));
  await api.database.transaction(async (sql) => {
    await sql.query(`select id from leads where id = $1 for no key update`, [held]);
    const refused = expect(routeLead({ leadId: held })).rejects.toMatchObject({ type: 'Locked' });
    await Promise.all([refused, ...others.map((leadId) => routeLead({ leadId }))]);
  });
  stop();
  expect(locks.length).toBeLessThan(others.length);
  await routeLead({ leadId: held });

  const decided = await api.database.query<{
    agentId: string;
    today: number | null;
    open: number | null;
  }>(
    `select a.agent_id as "agentId", (n ->> 0)::int as today, (n ->> 1)::int as open
     from assignments a join routing_decisions d on d.assignment_id = a.id join rosters b on b.hash = d.roster_base,
       jsonb_array_elements(b.roster -> 'agents') with ordinality g (agent, at),
       lateral (select d.roster_numbers -> 'agents' -> (at - 1)::int) k (n)
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
