import { randomUUID } from 'node:crypto';
import type { Roster } from '../../../domain/routing/roster.ts';
import { readAgents } from '../../../store/routing/agents.ts';
import { readRoster } from '../../../store/routing/decisions.ts';
import { startTestApi } from '../../support/api.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { openDesk } from './desk.ts';

const api = await startTestApi();
const { activitiesAt, handOverAt, routeAt } = openDesk(api);
afterAll(() => api.stop());

async function soleAgent(over: Record<string, unknown>) {
  const agent = await makeAgent(api.database, over);
  await activateRules(api.database, [{ target: { kind: 'agent', agentId: agent.id } }]);
  return agent;
}

describe('the day of a daily cap is the agent’s own', () => {
  test.each([
    ['Asia/Dubai', '2026-07-01T19:59Z', '2026-07-01T20:00Z', 'assigned'],
    ['Asia/Dubai', '2026-07-01T20:30Z', '2026-07-02T19:59Z', 'unassigned'],
    ['Europe/London', '2026-07-01T22:59Z', '2026-07-01T23:00Z', 'assigned'],
    ['Europe/London', '2026-12-01T22:59Z', '2026-12-01T23:59Z', 'unassigned'],
    // A day of 25 hours, and one of 23.
    ['Europe/London', '2026-10-24T23:00Z', '2026-10-25T23:59Z', 'unassigned'],
    ['Europe/London', '2026-10-24T23:00Z', '2026-10-26T00:00Z', 'assigned'],
    ['Europe/London', '2026-03-29T00:00Z', '2026-03-29T23:00Z', 'assigned'],
    // A midnight that comes twice: the day begins with the first.
    ['America/Havana', '2026-11-01T04:30Z', '2026-11-01T05:30Z', 'unassigned'],
    ['Atlantic/Azores', '2026-10-25T00:30Z', '2026-10-25T01:30Z', 'unassigned'],
  ])('%s: %s, %s', async (time_zone, first, second, status) => {
    await soleAgent({ time_zone, daily_cap: 1 });
    expect((await routeAt(first)).status).toBe('assigned');
    expect((await routeAt(second)).status).toBe(status);
  });
});

test('an agent whose time zone nobody knows is left out, and nobody else', async () => {
  const [lost, found] = [
    await makeAgent(api.database, { time_zone: 'Mars/Olympus', daily_cap: 5 }),
    await makeAgent(api.database, { time_zone: 'Asia/Dubai', daily_cap: 5 }),
  ];
  const teamId = await makeTeam(api.database, [lost, found]);
  await activateRules(api.database, [{ target: { kind: 'team', teamId } }]);
  for (const at of ['2026-07-01T10:00Z', '2026-07-01T11:00Z'])
    expect(await routeAt(at)).toMatchObject({ status: 'assigned', agentId: found.id });
});

describe('the leads of the day', () => {
  const DAY = '2026-07-01T10:00Z';
  const activities = activitiesAt(DAY);

  async function countToday(agentId: string): Promise<number | undefined> {
    const candidates = { teamIds: [], agentIds: [agentId], byLoad: true };
    const { agents } = await readRoster(api.database, candidates, new Date(DAY));
    const listed = (await readAgents(api.database, new Date(DAY))).find(({ id }) => id === agentId);
    const counts = [agents[0]?.assignedToday, listed?.assignedToday];
    expect(counts[0]).toBe(counts[1]);
    return counts[0] ?? undefined;
  }

  const toAgent = ({ id: agentId }: { id: string }) => ({ kind: 'agent', agentId }) as const;

  test('are leads: one that comes back from a pool three times is one', async () => {
    const agent = await soleAgent({ daily_cap: 3 });
    const poolId = await makePool(api.database);
    const { leadId } = await routeAt(DAY);
    for (let times = 0; times < 3; times += 1) {
      await handOverAt(DAY, leadId, { kind: 'pool', poolId });
      await activities.claimLead({ leadId, agentId: agent.id, claimId: randomUUID() });
    }
    expect(await countToday(agent.id)).toBe(1);
    const statuses = [await routeAt(DAY), await routeAt(DAY), await routeAt(DAY)];
    expect(statuses.map(({ status }) => status)).toEqual(['assigned', 'assigned', 'unassigned']);
  });

  test('are not those that an operator took back at once, nor those that came back by that', async () => {
    const [holder, other] = [await soleAgent({ daily_cap: 9 }), await makeAgent(api.database)];
    const { leadId } = await routeAt('2026-06-30T10:00Z');
    const undoes = await handOverAt(DAY, leadId, toAgent(other));
    expect([await countToday(holder.id), await countToday(other.id)]).toEqual([0, 1]);
    await handOverAt(DAY, leadId, toAgent(holder), { undoes });
    expect([await countToday(holder.id), await countToday(other.id)]).toEqual([0, 0]);
    await handOverAt(DAY, leadId, toAgent(other));
    expect([await countToday(holder.id), await countToday(other.id)]).toEqual([0, 1]);
  });

  test('are leads for those decided together as well', async () => {
    const agent = await soleAgent({ daily_cap: 2 });
    const poolId = await makePool(api.database);
    const { leadId: back } = await routeAt(DAY);
    await handOverAt(DAY, back, { kind: 'pool', poolId }, { liftsExclusion: true });
    await api.call('PATCH', `/public/leads/${back}`, { body: { initialInquiry: 'A lift' } });
    const { id: fresh } = await api.create();
    const routed = await Promise.all(
      [back, fresh].map((leadId) => activities.routeLead({ leadId })),
    );
    expect(routed.map((lead) => lead?.agentId)).toEqual([agent.id, agent.id]);
    expect(await countToday(agent.id)).toBe(2);
  });
});

test('a decision keeps the counts that a cap or a choice by load asks for, and no others', async () => {
  const free = await makeAgent(api.database);
  const capped = await makeAgent(api.database, { daily_cap: 5, open_cap: 5 });
  const teamId = await makeTeam(api.database, [free, capped]);
  const target = { kind: 'team', teamId };
  await activateRules(api.database, [{ target }]);
  const byTurn = await routeAt('2026-07-03T10:00Z');
  await activateRules(api.database, [{ target, strategy: 'least_loaded' }]);
  const byLoad = await routeAt('2026-07-03T11:00Z');

  const uncounted = { assignedToday: null, openLeads: null, lastAssignedAt: null };
  expect(await countsOf(byTurn.leadId)).toEqual({
    [free.id]: uncounted,
    [capped.id]: { assignedToday: 0, openLeads: 0, lastAssignedAt: null },
  });
  expect(Object.values(await countsOf(byLoad.leadId))).toEqual(
    expect.arrayContaining([
      { assignedToday: 1, openLeads: 1, lastAssignedAt: '2026-07-03T10:00:00.000Z' },
      { assignedToday: 0, openLeads: 0, lastAssignedAt: null },
    ]),
  );
});

/** The counts of each agent in the roster that the decision about a lead keeps. */
async function countsOf(leadId: string): Promise<Record<string, object>> {
  const [decision] = await api.database.query<{ roster: Roster }>(
    `select d.roster as roster from routing_decisions d join assignments a on a.id = assignment_id
     where lead_id = $1`,
    [leadId],
  );
  return Object.fromEntries(
    (decision?.roster.agents ?? []).map(({ id, assignedToday, openLeads, lastAssignedAt }) => [
      id,
      { assignedToday, openLeads, lastAssignedAt },
    ]),
  );
}
