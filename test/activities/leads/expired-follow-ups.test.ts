import { randomUUID } from 'node:crypto';
import { leadCommands } from '../../../cli/lead.ts';
import { personCommands } from '../../../cli/person.ts';
import type { HandOver } from '../../../domain/assignment/hand-over.ts';
import { bumpReferenceVersion } from '../../../store/catalogue/reference-version.ts';
import { addAbsence, setPaused } from '../../../store/routing/agents.ts';
import { leadctlFor } from '../../cli/leadctl.ts';
import { startTestApi } from '../../support/api.ts';
import {
  activateRules,
  makeAgent,
  makePool,
  makeTeam,
  type TestAgent,
} from '../../support/routing.ts';
import { openDesk } from './desk.ts';

const api = await startTestApi();
const { database } = api;
const { activitiesAt, handOverAt, placeAllAt, queueOwnerAt, readLead, routeAt } = openDesk(api);
const leadctl = leadctlFor([leadCommands, personCommands], {
  DATABASE_URL: api.config.database.url,
  MIGRATE_DATABASE_URL: api.adminUrl(),
});
beforeEach(async () => {
  for (const table of ['waiting_leads', 'waiting_wakeups', 'worker_leases', 'holidays'])
    await database.query(`delete from ${table}`);
});
afterAll(() => api.stop());

/** A time of Monday, the second of March 2026, in Dubai. */
const monday = (clock: string) => new Date(`2026-03-02T${clock}:00+04:00`);
async function startTeam(agents: readonly TestAgent[], followUp: object = {}, rule: object = {}) {
  const teamId = await makeTeam(database, agents);
  const terms = { minutes: 30, onExpiry: 'reassign', maxMoves: 1, ...followUp };
  await activateRules(database, [{ target: { kind: 'team', teamId }, followUp: terms, ...rule }]);
  return teamId;
}

const createAt = async (at: Date) => (await routeAt(at)).leadId;

const expireAt = (at: Date, leadId: string, moves = 0) =>
  activitiesAt(at).expireFollowUp({ leadId, round: 1, moves });

/** A lead that its owner has not responded to by 10:00, while the other agent was paused. */
async function expireInVain() {
  const [first, second] = [await makeAgent(database), await makeAgent(database)];
  await startTeam([first, second]);
  await setPaused(database, second.id, monday('08:00'));
  const leadId = await createAt(monday('09:00'));
  await expireAt(monday('09:30'), leadId);
  return { leadId, first, second, resume: () => setPaused(database, second.id, null) };
}

const moveTo = (leadId: string, target: HandOver['target']) =>
  handOverAt(monday('09:40'), leadId, target);

async function readNotes(leadId: string): Promise<string[]> {
  const rows = await database.query<{ text: string }>(
    `select text from timeline_notes where lead_id = $1 and kind = 'follow_up' order by at`,
    [leadId],
  );
  return rows.map(({ text }) => text);
}

const readQueue = () => database.query<{ id: string }>('select lead_id as id from waiting_leads');

describe('a follow-up that expires while no other agent can take the lead', () => {
  test('has its note at once and only once, and its move as soon as one can', async () => {
    const { leadId, first, second, resume } = await expireInVain();
    await expireAt(monday('09:31'), leadId);
    expect(await readLead(leadId)).toEqual({ owner: first.id, moves: 0, due: null });
    expect(await placeAllAt(monday('09:45'))).toEqual([]);
    await resume();
    expect(await placeAllAt(monday('10:00'))).toEqual([leadId]);
    expect(await readLead(leadId)).toEqual({ owner: second.id, moves: 1, due: '02 10:30' });
    expect(await readNotes(leadId)).toEqual([
      "No response in time and nobody else can take over yet. Rule 'Rule 1': none of the 2 in its team could take " +
        'the lead (1 held earlier in round, 1 paused).',
    ]);
    const history = await database.query(
      `select move, decided_by as by, rule_name as rule, previous_agent_id as previous, d.facts is not null as "isKept"
       from assignments a left join routing_decisions d on d.assignment_id = a.id where lead_id = $1 order by move`,
      [leadId],
    );
    const last = { move: 1, by: 'follow_up', rule: 'Rule 1', previous: first.id, isKept: true };
    expect(history.at(-1)).toEqual(last);
    const events = await database.query<{ body: string }>(
      `select body from webhook_events where lead_id = $1 order by sequence desc limit 1`,
      [leadId],
    );
    const data = { status: 'assigned', agent: { id: second.id }, previousAgentId: first.id };
    expect(JSON.parse(events[0]?.body ?? '')).toMatchObject({ type: 'lead.assigned', data });
  });

  test('moves it at most as often as the rule says', async () => {
    const { leadId, first, second, resume } = await expireInVain();
    await resume();
    await placeAllAt(monday('10:00'));
    await expireAt(monday('10:30'), leadId, 1);
    expect(await readLead(leadId)).toEqual({ owner: second.id, moves: 1, due: null });
    expect(await readQueue()).toEqual([]);
    await makeTeam(database, [first]);
    await bumpReferenceVersion(database);
    expect(await placeAllAt(monday('11:00'))).toEqual([]);
    expect((await readNotes(leadId)).at(-1)).toBe('No response in time; after 1 move it stays.');
  });

  test('moves it at the next shift, where shifts do not overlap and the clock counts working time', async () => {
    const early = await makeAgent(database, { working_hours: { 'mon-sun': '09:00-13:00' } });
    const late = await makeAgent(database, { working_hours: { 'mon-sun': '14:00-18:00' } });
    const rule = { gates: { availability: 'working_hours' } };
    await startTeam([early, late], { clock: 'working', maxMoves: 2 }, rule);
    const leadId = await createAt(monday('09:00'));
    await expireAt(monday('09:30'), leadId);
    expect(await placeAllAt(monday('13:59'))).toEqual([]);
    expect(await placeAllAt(monday('14:00'))).toEqual([leadId]);
    expect(await readLead(leadId)).toEqual({ owner: late.id, moves: 1, due: '02 14:30' });
    await expireAt(monday('14:30'), leadId, 1);
    expect(await placeAllAt(new Date('2026-03-03T14:00:00+04:00'))).toEqual([]);
  });

  test('moves it to an agent who joins the team later and is then free', async () => {
    const agents = [await makeAgent(database)];
    const teamId = await startTeam(agents);
    const leadId = await createAt(monday('09:00'));
    await expireAt(monday('09:30'), leadId);
    const newcomer = await makeAgent(database, { paused_at: monday('09:00') });
    const member = `insert into team_members (team_id, agent_id, weight, position) values ($1, $2, 1, 1)`;
    await database.query(member, [teamId, newcomer.id]);
    await bumpReferenceVersion(database);
    expect(await placeAllAt(monday('10:00'))).toEqual([]);
    await setPaused(database, newcomer.id, null);
    expect(await placeAllAt(monday('11:00'))).toEqual([leadId]);
  });

  test.each<[string, (leadId: string) => Promise<unknown>]>([
    [
      'the owner responds',
      (leadId) =>
        api.call('POST', `/public/leads/${leadId}/response-time`, { body: { seconds: 60 } }),
    ],
    [
      'an operator gives it to an agent',
      async (leadId) => moveTo(leadId, { kind: 'agent', agentId: (await makeAgent(database)).id }),
    ],
    [
      'an operator puts it into a pool',
      async (leadId) => moveTo(leadId, { kind: 'pool', poolId: await makePool(database) }),
    ],
    [
      'an operator sends it back to the rules',
      async (leadId) => {
        await activateRules(database, []);
        await moveTo(leadId, { kind: 'rules' });
      },
    ],
    [
      'its customer is erased',
      async (leadId) => {
        const {
          lead_phones: [phone],
        } = await api.lead(leadId);
        await leadctl('person', 'erase', phone, '--yes');
      },
    ],
  ])('leaves it alone once %s', async (_, act) => {
    const { leadId, second, resume } = await expireInVain();
    await act(leadId);
    expect(await readQueue()).toEqual([]);
    await resume();
    expect(await placeAllAt(monday('10:00'))).toEqual([]);
    expect((await readLead(leadId))?.owner).not.toBe(second.id);
  });

  test('keeps its place while new details arrive', async () => {
    const { leadId, resume } = await expireInVain();
    await api.update(leadId, { utmTerm: randomUUID() });
    await resume();
    expect(await placeAllAt(monday('10:00'))).toEqual([leadId]);
  });
});

describe('leads that follow-ups and waits leave for the same agent', () => {
  test.each([
    ['expired', 'waiting'],
    ['waiting', 'expired'],
  ])('go in order of arrival: %s before %s', async (...kinds) => {
    const [busy, free] = [await makeAgent(database), await makeAgent(database, { open_cap: 1 })];
    const wait = { kind: 'wait', atMostMinutes: 5000 };
    await startTeam([busy, free], {}, { onExhausted: wait });
    await setPaused(database, free.id, monday('08:00'));
    const leadIds = [await createAt(monday('09:00')), await createAt(monday('09:01'))];
    for (const [at, leadId] of leadIds.entries())
      if (kinds[at] === 'waiting') await moveTo(leadId, { kind: 'rules' });
      else await expireAt(monday('09:31'), leadId);
    expect(await readQueue()).toHaveLength(2);
    await setPaused(database, free.id, null);
    expect(await placeAllAt(monday('10:00'))).toEqual([leadIds[0]]);
    expect((await readLead(leadIds[0] ?? ''))?.owner).toBe(free.id);
  });

  test('go in order of arrival, though the clock runs out before anybody has looked at the older lead', async () => {
    const [busy, free] = [await makeAgent(database), await makeAgent(database, { open_cap: 1 })];
    const wait = { kind: 'wait', atMostMinutes: 5000 };
    await startTeam([busy, free], {}, { onExhausted: wait });
    await setPaused(database, free.id, monday('08:00'));
    const [older, younger] = [await createAt(monday('09:00')), await createAt(monday('09:01'))];
    await moveTo(older, { kind: 'rules' });
    await setPaused(database, free.id, null);
    await expireAt(monday('09:31'), younger);
    expect((await readLead(younger))?.owner).toBe(busy.id);
    expect(await readNotes(younger)).toEqual([
      'No response in time and nobody else can take over yet. Leads that came before it go first.',
    ]);
    await placeAllAt(monday('10:00'));
    const owners = [(await readLead(older))?.owner, (await readLead(younger))?.owner];
    expect(owners).toEqual([free.id, busy.id]);
  });

  test('are moved once by two workers, and by the next one if one ends in between', async () => {
    const { leadId, second, resume } = await expireInVain();
    await resume();
    const killed = queueOwnerAt(monday('10:00'), () => Promise.reject(new Error('killed')));
    await expect(killed()).rejects.toThrow('killed');
    await database.query('delete from worker_leases');
    const others = [1, 2].map(() => queueOwnerAt(monday('10:01'), () => Promise.resolve()));
    await Promise.all(others.map((place) => place()));
    expect(await readLead(leadId)).toMatchObject({ owner: second.id, moves: 1 });
    const rows = await database.query(
      `select from lead_outbox where lead_id = $1 and event = 'routed'`,
      [leadId],
    );
    expect(rows).toHaveLength(1);
  });

  test('are moved once if the clock runs out in two workers at once', async () => {
    const [first, second] = [await makeAgent(database), await makeAgent(database)];
    await startTeam([first, second]);
    await setPaused(database, second.id, monday('08:00'));
    const leadId = await createAt(monday('09:00'));
    await Promise.all([
      expireAt(monday('09:30'), leadId),
      expireAt(monday('09:30'), leadId),
      setPaused(database, second.id, null),
    ]);
    await placeAllAt(monday('09:31'));
    expect(await readLead(leadId)).toMatchObject({ owner: second.id, moves: 1 });
    expect((await readNotes(leadId)).length).toBeLessThan(2);
  });
});

describe('a clock that counts working time', () => {
  const HOURS = { working_hours: { 'mon-fri': '09:00-18:00' } };
  const holiday = (from: string) =>
    database.query(`insert into holidays (name, starts, ends) values ('Rest', $1, $1)`, [from]);

  test.each<[string, (agentId: string) => Promise<unknown>, string]>([
    ['a holiday that was imported since', () => holiday('2026-03-03'), '04 09:20'],
    [
      'an absence that was entered since',
      (id) => addAbsence(database, id, { from: '2026-03-03', to: '2026-03-04', note: null }),
      '05 09:20',
    ],
  ])('ends later by %s', async (_, act, due) => {
    const [agent, other] = [await makeAgent(database, HOURS), await makeAgent(database, HOURS)];
    await startTeam([agent, other], { clock: 'working' });
    const leadId = await createAt(monday('17:50'));
    expect(await readLead(leadId)).toMatchObject({ owner: agent.id, due: '03 09:20' });
    await act(agent.id);
    const next = await expireAt(new Date('2026-03-03T09:20:00+04:00'), leadId);
    expect(await readLead(leadId)).toEqual({ owner: agent.id, moves: 0, due });
    expect(await readNotes(leadId)).toEqual([]);
    expect(new Date(next?.followUpDueAtMs ?? 0).toISOString()).toBe(
      `2026-03-${due.slice(0, 2)}T05:20:00.000Z`,
    );
    expect((await leadctl('lead', 'show', leadId)).text).toContain(`2026-03-${due.slice(0, 2)}`);
    await expireAt(new Date(`2026-03-${due.slice(0, 2)}T09:20:00+04:00`), leadId);
    expect(await readLead(leadId)).toMatchObject({ owner: other.id, moves: 1 });
  });

  test('ends as it was set if the calendar has more working time since, and elapsed time is not extended', async () => {
    const agents = [await makeAgent(database, HOURS), await makeAgent(database, HOURS)];
    for (const [clock, due] of [
      ['working', '03 09:20'],
      ['elapsed', '02 18:20'],
    ] as const) {
      await holiday('2026-03-10');
      await startTeam(agents, { clock });
      const leadId = await createAt(monday('17:50'));
      expect(await readLead(leadId)).toMatchObject({ due });
      await database.query('delete from holidays');
      if (clock === 'elapsed') await holiday('2026-03-02');
      const [day = '', time = ''] = due.split(' ');
      await expireAt(new Date(`2026-03-${day}T${time}:00+04:00`), leadId);
      expect(await readLead(leadId)).toMatchObject({ moves: 1 });
    }
  });
});
