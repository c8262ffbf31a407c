import { agentCommands } from '../../../cli/agent.ts';
import { leadCommands } from '../../../cli/lead.ts';
import { rulesCommands } from '../../../cli/rules.ts';
import { contentHash } from '../../../domain/canonical-json.ts';
import { leadctlFor } from '../../cli/leadctl.ts';
import { startTestApi } from '../../support/api.ts';
import { activateRules, makeAgent, makePool, makeTeam } from '../../support/routing.ts';
import { openDesk } from './desk.ts';

const api = await startTestApi();
const { activitiesAt, readLead, routeAt } = openDesk(api);
const leadctl = leadctlFor([agentCommands, leadCommands, rulesCommands], {
  DATABASE_URL: api.config.database.url,
});
afterAll(() => api.stop());

const HOURS = { working_hours: { 'mon-fri': '09:00-18:00' } };
/** Monday, ten minutes before six in Dubai. */
const EVENING = '2026-03-02T13:50:00.000Z';

async function teamOf(...agents: Awaited<ReturnType<typeof makeAgent>>[]) {
  const teamId = await makeTeam(api.database, agents);
  return { kind: 'team', teamId };
}

test('an agent with dated hours is chosen in them, and by the usual ones before and after', async () => {
  const agent = await makeAgent(api.database, HOURS);
  await api.database.query(
    `insert into agent_dated_hours values ($1, '2026-03-03', '2026-03-04', '{ "mon-sun": "20:00-02:00" }')`,
    [agent.id],
  );
  await activateRules(api.database, [
    {
      target: await teamOf(agent),
      gates: { availability: 'working_hours' },
      followUp: { minutes: 30, clock: 'working' },
    },
  ]);
  const holders = async (...times: string[]) => {
    const leads = [];
    for (const at of times) leads.push(await readLead((await routeAt(at)).leadId));
    return leads.map((lead) => lead?.due ?? null);
  };
  // Monday's usual last ten minutes, and twenty on Tuesday evening.
  expect(await holders(EVENING)).toEqual(['03 20:20']);
  expect(await holders('2026-03-03T08:00Z', '2026-03-03T18:00Z', '2026-03-04T21:30Z')).toEqual([
    null,
    '03 22:30',
    '05 02:00',
  ]);
  expect(await holders('2026-03-05T08:00Z')).toEqual(['05 12:30']);
});

describe('an absent agent', () => {
  test('is left out with that reason, and gets leads again when it is over', async () => {
    const [ill, well] = [await makeAgent(api.database), await makeAgent(api.database)];
    await activateRules(api.database, [{ target: await teamOf(ill, well) }]);
    const days = ['--from', '2026-03-02', '--to', '2026-03-03'];
    await leadctl('agent', 'absent', ill.email, ...days, '--note', 'flu');
    const leads = [];
    for (const at of ['01T19:59', '01T20:00', '03T19:59', '03T20:00', '03T20:01'])
      leads.push(await routeAt(`2026-03-${at}:00Z`));
    const holders = leads.map(({ agentId }) => agentId);
    expect(holders.slice(0, 3)).toEqual([ill.id, well.id, well.id]);
    expect(new Set(holders.slice(3))).toEqual(new Set([ill.id, well.id]));
    expect((await leadctl('lead', 'explain', leads[1]?.leadId ?? '')).text).toMatch(
      /left out: absent/,
    );
    const rosters = await api.database.query(`select roster from routing_decisions`);
    expect(JSON.stringify(rosters)).toContain('"from":"2026-03-02"');
    expect(JSON.stringify(rosters)).not.toContain('flu');
  });
});

describe('a holiday', () => {
  test('is outside working hours for rules that ask for them', async () => {
    await api.database.query(
      `insert into holidays (name, starts, ends) values ('Rest', '2026-03-10', '2026-03-10')`,
    );
    const agent = await makeAgent(api.database, HOURS);
    const target = await teamOf(agent);
    await activateRules(api.database, [{ target, gates: { availability: 'working_hours' } }]);
    const { leadId } = await routeAt('2026-03-10T08:00:00Z');
    expect((await leadctl('lead', 'explain', leadId)).text).toMatch(/left out: a holiday/);
    const { leadId: next } = await routeAt('2026-03-11T08:00:00Z');
    expect((await readLead(next))?.owner).toBe(agent.id);
  });
});

describe('the response clock in working time', () => {
  test('is that of each holder: assigned, moved on, claimed', async () => {
    const first = await makeAgent(api.database, HOURS);
    const second = await makeAgent(api.database, { ...HOURS, time_zone: 'Europe/London' });
    const poolId = await makePool(api.database);
    const target = await teamOf(first, second);
    const followUp = { minutes: 15, clock: 'working', onExpiry: 'reassign', maxMoves: 1 };
    await activateRules(api.database, [{ target, followUp }]);
    const { leadId } = await routeAt(EVENING);
    expect(await readLead(leadId)).toEqual({ due: '03 09:05', owner: first.id, moves: 0 });
    expect((await leadctl('lead', 'show', leadId)).text).toContain('counting working time only');

    const expiry = { leadId, round: 1, moves: 0 };
    await activitiesAt('2026-03-03T05:05:00.000Z').expireFollowUp(expiry);
    expect(await readLead(leadId)).toEqual({ due: '03 13:15', owner: second.id, moves: 1 });

    await activateRules(api.database, [{ target: { kind: 'pool', poolId }, followUp }]);
    const { leadId: pooled } = await routeAt(EVENING);
    const claim = { leadId: pooled, agentId: first.id, claimId: 'working' };
    expect(await activitiesAt(EVENING).claimLead(claim)).toMatchObject({ claimed: true });
    expect((await readLead(pooled))?.due).toBe('03 09:05');
  });
});

test('decisions kept before there were calendars come out the same', async () => {
  await activateRules(api.database, [{ target: await teamOf(await makeAgent(api.database)) }]);
  const { leadId } = await routeAt(EVENING);
  const [{ roster } = { roster: {} }] = await api.database.query<{
    roster: Record<string, unknown>;
  }>(
    `select (d.roster #- '{agents,0,absences}' #- '{agents,0,datedHours}') - 'holidays' as roster
     from routing_decisions d join assignments a on a.id = d.assignment_id where a.lead_id = $1`,
    [leadId],
  );
  await api.database.query(
    `update routing_decisions d set roster = $2, roster_hash = $3
     from assignments a where a.id = d.assignment_id and a.lead_id = $1`,
    [leadId, JSON.stringify(roster), contentHash(roster)],
  );
  expect((await leadctl('rules', 'check', '--since', '2026-01-01')).text).toContain('the same');
});
