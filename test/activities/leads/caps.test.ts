import type { Roster } from '../../../domain/routing/roster.ts';
import { startTestApi } from '../../support/api.ts';
import { activateRules, makeAgent, makeTeam } from '../../support/routing.ts';
import { leadActivities } from '../../support/worker.ts';
import { wholeRoster } from '../../../store/routing/roster.ts';

const api = await startTestApi();
afterAll(() => api.stop());

async function soleAgent(over: Record<string, unknown>): Promise<void> {
  const { id: agentId } = await makeAgent(api.database, over);
  await activateRules(api.database, [{ target: { kind: 'agent', agentId } }]);
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
    `select ${wholeRoster('d')} as roster from routing_decisions d join assignments a on a.id = assignment_id
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
