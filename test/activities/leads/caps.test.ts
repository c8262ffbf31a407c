import { randomUUID } from 'node:crypto';
import type { HandOver } from '../../../domain/assignment/hand-over.ts';
import type { Roster } from '../../../domain/routing/roster.ts';
import { insertHandOver } from '../../../store/assignment/hand-overs.ts';
import { readAgents } from '../../../store/routing/agents.ts';
import { readRoster } from '../../../store/routing/roster.ts';
import { startTestApi } from '../../support/api.ts';
import { handOverRequest } from '../../support/hand-over.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';

const api = await startTestApi();
afterAll(() => api.stop());

async function soleAgent(over: Record<string, unknown>) {
  const agent = await makeAgent(api.database, over);
  await activateRules(api.database, [{ target: { kind: 'agent', agentId: agent.id } }]);
  return agent;
}

async function routedAt(at: string): Promise<{ leadId: string; status: string | undefined }> {
  const { id: leadId } = await api.create();
  const snapshot = await leadActivities(api, () => new Date(at)).routeLead({ leadId });
  return { leadId, status: snapshot?.status };
}

describe('the day of a daily cap is the agent’s own', () => {
  test.each([
    ['Asia/Dubai', 'over midnight there', '2026-07-01T19:59Z', '2026-07-01T20:00Z', 'assigned'],
    ['Asia/Dubai', 'over midnight UTC', '2026-07-01T20:30Z', '2026-07-02T19:59Z', 'unassigned'],
    [
      'Europe/London',
      'over a summer midnight',
      '2026-07-01T22:59Z',
      '2026-07-01T23:00Z',
      'assigned',
    ],
    [
      'Europe/London',
      'before a winter midnight',
      '2026-12-01T22:59Z',
      '2026-12-01T23:59Z',
      'unassigned',
    ],
    [
      'Europe/London',
      'in the day of 25 hours',
      '2026-10-24T23:00Z',
      '2026-10-25T23:59Z',
      'unassigned',
    ],
    [
      'Europe/London',
      'after the day of 25 hours',
      '2026-10-24T23:00Z',
      '2026-10-26T00:00Z',
      'assigned',
    ],
    [
      'Europe/London',
      'after the day of 23 hours',
      '2026-03-29T00:00Z',
      '2026-03-29T23:00Z',
      'assigned',
    ],
  ])('%s, %s', async (time_zone, _when, first, second, status) => {
    await soleAgent({ time_zone, daily_cap: 1 });
    expect((await routedAt(first)).status).toBe('assigned');
    expect((await routedAt(second)).status).toBe(status);
  });
});

test.each([
  ['America/Havana', '2026-11-01T04:30Z', '2026-11-01T05:30Z'],
  ['Atlantic/Azores', '2026-10-25T00:30Z', '2026-10-25T01:30Z'],
])(
  'a day of %s whose midnight comes twice begins with the first',
  async (time_zone, first, then) => {
    await soleAgent({ time_zone, daily_cap: 1 });
    expect((await routedAt(first)).status).toBe('assigned');
    expect((await routedAt(then)).status).toBe('unassigned');
  },
);

test('an agent whose time zone nobody knows is left out, and nobody else', async () => {
  const [lost, found] = [
    await makeAgent(api.database, { time_zone: 'Mars/Olympus', daily_cap: 5 }),
    await makeAgent(api.database, { time_zone: 'Asia/Dubai', daily_cap: 5 }),
  ];
  const teamId = await makeTeam(api.database, [lost, found]);
  await activateRules(api.database, [{ target: { kind: 'team', teamId } }]);
  for (const at of ['2026-07-01T10:00Z', '2026-07-01T11:00Z']) {
    const { leadId, status } = await routedAt(at);
    expect(status).toBe('assigned');
    const lead = await api.database.queryOne<{ owner: string }>(
      'select owner_id as owner from leads where id = $1',
      [leadId],
    );
    expect(lead?.owner).toBe(found.id);
  }
});

describe('the leads of the day', () => {
  const DAY = '2026-07-01T10:00Z';
  const activities = leadActivities(api, () => new Date(DAY));

  /** How many leads the agent has got, as a decision and `agent list` count them. */
  async function countToday(agentId: string): Promise<number | undefined> {
    const candidates = { teamIds: [], agentIds: [agentId], byLoad: true };
    const { agents } = await readRoster(api.database, candidates, new Date(DAY));
    const listed = (await readAgents(api.database, new Date(DAY))).find(({ id }) => id === agentId);
    const counts = [agents[0]?.assignedToday, listed?.assignedToday];
    expect(counts[0]).toBe(counts[1]);
    return counts[0] ?? undefined;
  }

  async function handOver(
    leadId: string,
    target: HandOver['target'],
    terms: Partial<HandOver> = {},
  ) {
    const request = handOverRequest(target, { ...terms, now: new Date(DAY) });
    await insertHandOver(api.database, request);
    const outcome = await activities.handOverLead({ leadId, handOverId: request.id });
    expect(outcome).toMatchObject({ moved: true });
    return request.id;
  }

  const toAgent = ({ id: agentId }: { id: string }) => ({ kind: 'agent', agentId }) as const;

  test('are leads: one that comes back from a pool three times is one', async () => {
    const agent = await soleAgent({ daily_cap: 3 });
    const poolId = await makePool(api.database);
    const { leadId } = await routedAt(DAY);
    for (let times = 0; times < 3; times += 1) {
      await handOver(leadId, { kind: 'pool', poolId });
      await activities.claimLead({ leadId, agentId: agent.id, claimId: randomUUID() });
    }
    expect(await countToday(agent.id)).toBe(1);
    const statuses = [await routedAt(DAY), await routedAt(DAY), await routedAt(DAY)];
    expect(statuses.map(({ status }) => status)).toEqual(['assigned', 'assigned', 'unassigned']);
  });

  test('are not those that an operator took back at once, nor those that came back by that', async () => {
    const [holder, other] = [await soleAgent({ daily_cap: 9 }), await makeAgent(api.database)];
    const { leadId } = await routedAt('2026-06-30T10:00Z');
    const undoes = await handOver(leadId, toAgent(other));
    expect([await countToday(holder.id), await countToday(other.id)]).toEqual([0, 1]);
    await handOver(leadId, toAgent(holder), { undoes });
    expect([await countToday(holder.id), await countToday(other.id)]).toEqual([0, 0]);
    await handOver(leadId, toAgent(other));
    expect([await countToday(holder.id), await countToday(other.id)]).toEqual([0, 1]);
  });

  test('are leads for those decided together as well', async () => {
    const agent = await soleAgent({ daily_cap: 2 });
    const poolId = await makePool(api.database);
    const { leadId: back } = await routedAt(DAY);
    await handOver(back, { kind: 'pool', poolId }, { liftsExclusion: true });
    await api.call('PATCH', `/public/leads/${back}`, { body: { initialInquiry: 'A lift' } });
    const { id: fresh } = await api.create();
    const routed = await Promise.all(
      [back, fresh].map((leadId) => activities.routeLead({ leadId })),
    );
    expect(routed.map((lead) => lead?.agentId)).toEqual([agent.id, agent.id]);
    expect(await countToday(agent.id)).toBe(2);
  });
});

test('a lead stops counting against the open cap with its recorded response', async () => {
  await soleAgent({ open_cap: 1 });
  const { leadId, status } = await routedAt('2026-07-01T10:00Z');
  expect(status).toBe('assigned');
  expect((await routedAt('2026-07-02T10:00Z')).status).toBe('unassigned');
  await api.call('POST', `/public/leads/${leadId}/response-time`, { body: { seconds: 5 } });
  expect((await routedAt('2026-07-02T10:01Z')).status).toBe('assigned');
});

test('a decision keeps the counts that a cap or a choice by load asks for, and no others', async () => {
  const free = await makeAgent(api.database);
  const capped = await makeAgent(api.database, { daily_cap: 5, open_cap: 5 });
  const teamId = await makeTeam(api.database, [free, capped]);
  const target = { kind: 'team', teamId };
  await activateRules(api.database, [{ target }]);
  const byTurn = await routedAt('2026-07-03T10:00Z');
  await activateRules(api.database, [{ target, strategy: 'least_loaded' }]);
  const byLoad = await routedAt('2026-07-03T11:00Z');

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
