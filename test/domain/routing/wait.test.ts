import fc from 'fast-check';
import { decide } from '../../../domain/routing/decide.ts';
import type { LeadFacts } from '../../../domain/routing/condition.ts';
import { localTime } from '../../../domain/routing/local-time.ts';
import { type Rule } from '../../../domain/routing/rules.ts';
import { matchRules } from '../../../domain/routing/match-rules.ts';
import type { Roster, RosterAgent } from '../../../domain/routing/roster.ts';
import { summarise } from '../../../domain/routing/decision.ts';
import { DEFAULTS, makeAgent, makeFacts, makeRoster, makeRule } from './make.ts';

const MINUTE_MS = 60_000;
/** 21:00 on a Monday in Dubai. */
const EVENING = new Date('2026-03-02T17:00:00Z');
const OPENING = new Date('2026-03-03T05:00:00Z');
const workingHours = { 'mon-fri': '09:00-18:00' };
const pool = { kind: 'pool', poolId: 'weekend' };
const waiting = (then: object = pool, atMostMinutes = 720) =>
  makeRule({
    gates: { availability: 'working_hours' },
    onExhausted: { kind: 'wait', atMostMinutes, then },
  });

function route(
  roster: Roster,
  { rules = [waiting()], now = EVENING, facts = {} }: Partial<Given> = {},
) {
  return decide(matchRules(makeFacts(facts), { rules }), roster, now, DEFAULTS);
}

interface Given {
  rules: Rule[];
  now: Date;
  facts: Partial<LeadFacts>;
}

describe('a rule that waits', () => {
  const asleep = makeRoster([makeAgent({ workingHours })]);
  const onWednesdays = { workingHours: { wed: '09:00-18:00' } };

  it('waits until the first of its agents can take the lead', () => {
    const early = { 'mon-fri': '07:00-16:00' };
    const roster = makeRoster([
      makeAgent({ workingHours }),
      makeAgent({ id: 'omar', workingHours: early }),
    ]);
    const decision = route(roster);
    expect(decision).toMatchObject({
      kind: 'waiting',
      dueAt: new Date('2026-03-03T03:00:00Z'),
      endsAt: new Date('2026-03-03T05:00:00Z'),
    });
    expect(summarise(decision.explanation, (id) => id)).toEqual([
      "Rule 'Everyone' waits until 2026-03-03 03:00 UTC for omar: none of the 2 in its team could take the lead (2 outside working hours)",
    ]);
  });

  it('gives the lead to whoever can take it now', () => {
    expect(route(asleep, { now: OPENING })).toMatchObject({ kind: 'assigned', agentId: 'sara' });
  });

  it.each<[string, Partial<RosterAgent>]>([
    ['nobody is there in time', onWednesdays],
    ['nobody is there in time, paused or not', { ...onWednesdays, paused: true }],
    ['an agent takes no lead on any day', { workingHours, dailyCap: 0 }],
    ['an agent takes no open lead', { openCap: 0, openLeads: 0 }],
    ['an agent is not active', { workingHours, active: false }],
  ])('does not begin to wait where %s', (_, agent) => {
    expect(route(makeRoster([makeAgent(agent)]))).toMatchObject({ kind: 'pool' });
  });

  it.each<[string, Partial<RosterAgent>]>([
    ['an agent is paused', { paused: true }],
    ['an agent is paused at night', { workingHours, paused: true }],
    ['an agent has as many open leads as allowed', { openCap: 1, openLeads: 1 }],
    [
      'several things do',
      { paused: true, openCap: 1, openLeads: 1, dailyCap: 1, assignedToday: 1 },
    ],
  ])('waits to the end, unless it is woken before, where %s', (_, agent) => {
    const endsAt = new Date('2026-03-03T05:00:00Z');
    expect(route(makeRoster([makeAgent(agent)]))).toMatchObject({
      kind: 'waiting',
      dueAt: endsAt,
      endsAt,
    });
  });

  it('waits for the one whom the clock frees, not for one who may be resumed', () => {
    const roster = makeRoster([
      makeAgent({ paused: true }),
      makeAgent({ id: 'omar', workingHours }),
    ]);
    expect(route(roster)).toMatchObject({
      dueAt: OPENING,
      explanation: { rules: [{ awaited: ['omar'] }] },
    });
  });

  it('waits for the midnight of an agent who has the leads of the day', () => {
    const full = makeAgent({ dailyCap: 2, assignedToday: 2 });
    expect(route(makeRoster([full]))).toMatchObject({ dueAt: new Date('2026-03-02T20:00:00Z') });
  });

  it('goes on waiting to the end, then does what comes then', () => {
    const facts = { waits: [{ ruleName: 'Everyone', endsAt: '2026-03-02T19:00:00.000Z' }] };
    const paused = makeRoster([makeAgent({ paused: true })]);
    const endsAt = new Date('2026-03-02T19:00:00Z');
    expect(route(paused, { facts })).toMatchObject({ kind: 'waiting', dueAt: endsAt, endsAt });
    expect(route(asleep, { facts })).toMatchObject({ kind: 'waiting', dueAt: endsAt, endsAt });
    expect(route(asleep, { facts, now: endsAt })).toMatchObject({
      kind: 'pool',
      poolId: 'weekend',
    });
  });

  it('may go on to the next rule, which may wait in its turn', () => {
    const facts = { waits: [{ ruleName: 'Everyone', endsAt: EVENING.toISOString() }] };
    const next = makeRule({ ...waiting(), name: 'Night', order: 20 });
    const rules = [waiting({ kind: 'next' }), next];
    expect(route(asleep, { rules })).toMatchObject({ kind: 'waiting', ruleName: 'Everyone' });
    expect(route(asleep, { rules, facts })).toMatchObject({ kind: 'waiting', ruleName: 'Night' });
  });
});

it('waits without regard to hours, dated ones too, where the rule ignores them', () => {
  const absent = makeAgent({
    workingHours,
    datedHours: [
      { from: '2026-03-02', to: '2026-03-03', workingHours: { 'mon-sun': '14:00-15:00' } },
    ],
    absences: [{ from: '2026-03-02T00:00:00Z', to: '2026-03-03T02:00:00Z' }],
  });
  const onExhausted = { kind: 'wait', atMostMinutes: 720, then: pool };
  const rules = [makeRule({ gates: { availability: 'ignore' }, onExhausted })];
  expect(route(makeRoster([absent]), { rules })).toMatchObject({
    kind: 'waiting',
    dueAt: new Date('2026-03-03T02:00:00Z'),
  });
});

it('goes on to the end of a wait by another rule that still runs, be its own shorter or longer', () => {
  const waits = [
    { ruleName: 'Ended', endsAt: EVENING.toISOString() },
    { ruleName: 'Before', endsAt: '2026-03-02T19:00:00.000Z' },
  ];
  for (const minutes of [30, 5000])
    expect(
      route(makeRoster([makeAgent({ workingHours })]), {
        rules: [waiting(pool, minutes)],
        facts: { waits },
      }),
    ).toMatchObject({ kind: 'waiting', endsAt: new Date('2026-03-02T19:00:00Z') });
});

it('waits for the agents of a rule before as well', () => {
  const roster = {
    ...makeRoster([makeAgent({ workingHours })]),
    agents: [makeAgent({ workingHours }), makeAgent({ id: 'omar', dailyCap: 1, assignedToday: 1 })],
  };
  const target = { kind: 'agent', agentId: 'omar' };
  const omar = makeRule({ name: 'Omar', order: 1, target });
  expect(route(roster, { rules: [omar, waiting()] })).toMatchObject({
    kind: 'waiting',
    ruleName: 'Everyone',
    dueAt: new Date('2026-03-02T20:00:00Z'),
    explanation: { rules: [{ outcome: 'exhausted' }, { awaited: ['omar'] }] },
  });
});

/** Everything in these rosters begins and ends at a quarter of an hour, so that no step misses a moment. */
const STEP_MS = 15 * MINUTE_MS;
const time = fc
  .integer({ min: 0, max: 95 })
  .map(
    (quarter) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${['00', '15', '30', '45'][quarter % 4]}`,
  );
const span = fc.tuple(time, time).map((ends) => ends.join('-'));
const hours = fc.dictionary(
  fc.constantFrom('mon-fri', 'sat,sun', 'daily', 'sun', 'tue'),
  fc.oneof(span, fc.array(span, { maxLength: 2 })),
  { maxKeys: 2 },
);

/** Days around both changes of the clock in each zone that has them. */
const PLACES = [
  ['Europe/London', '2026-03-28', '2026-10-24'],
  ['America/New_York', '2026-03-07', '2026-10-31'],
  ['Australia/Lord_Howe', '2026-04-04', '2026-10-03'],
  ['Asia/Dubai', '2026-12-02', '2026-03-01'],
] as const;

const quarterFrom = (day: string) =>
  fc
    .integer({ min: 0, max: 12 * 24 * 4 })
    .map((quarter) => new Date(Date.parse(day) + (quarter / 4) * 60 * MINUTE_MS));
const period = (day: string) =>
  fc
    .tuple(quarterFrom(day), fc.integer({ min: 1, max: 100 }), fc.boolean())
    .map(([from, quarters, isDates]) => {
      const to = new Date(from.getTime() + quarters * STEP_MS);
      const text = (at: Date) => (isDates ? at.toISOString().slice(0, 10) : at.toISOString());
      return { from: text(from), to: text(to) };
    });

const situation = fc.constantFrom(...PLACES).chain(([timeZone, spring, autumn]) =>
  fc.constantFrom(spring, autumn).chain((day) =>
    fc.record({
      agents: fc.array(
        fc.record({
          workingHours: hours,
          timeZone: fc.constant(timeZone),
          absences: fc.array(period(day), { maxLength: 2 }),
          paused: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
          dailyCap: fc.option(fc.integer({ min: 0, max: 3 })),
          assignedToday: fc.integer({ min: 0, max: 3 }),
          openCap: fc.option(fc.integer({ min: 0, max: 2 })),
          openLeads: fc.nat({ max: 1 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      holidays: fc.array(period(day), { maxLength: 1 }),
      availability: fc.constantFrom('working_hours', 'ignore'),
      /** The hours of a rule before, which goes on to the next. */
      before: fc.option(fc.constantFrom('working_hours', 'ignore'), { freq: 1 }),
      now: quarterFrom(day),
      atMostMinutes: fc.integer({ min: 1, max: 130 }).map((quarters) => quarters * 15),
    }),
  ),
);

it('waits until the very moment at which somebody can take the lead, minute for minute', () => {
  const counts = { waiting: 0, others: 0 };
  fc.assert(
    fc.property(situation, ({ agents, holidays, availability, before, now, atMostMinutes }) => {
      const rosterAgents = agents.map((agent, at) => makeAgent({ id: `agent ${at}`, ...agent }));
      const roster = { ...makeRoster(rosterAgents), holidays };
      const gates = { availability };
      const first =
        before === null
          ? []
          : [makeRule({ name: 'Before', order: 1, gates: { availability: before } })];
      const rule = makeRule({ gates, onExhausted: { kind: 'wait', atMostMinutes, then: pool } });
      const decision = route(roster, { rules: [...first, rule], now });
      const plain = [makeRule({ gates, onExhausted: pool })];
      const endsMs = now.getTime() + atMostMinutes * MINUTE_MS;
      const firstMs = firstMoment(roster, [...first, ...plain], now, endsMs);
      const free = rosterAgents.map((agent) => ({ ...agent, paused: false, openLeads: 0 }));
      const couldBeMs = firstMoment({ ...roster, agents: free }, plain, now, endsMs);
      if (firstMs === now.getTime()) expect(decision.kind).toBe('assigned');
      else if (couldBeMs === null) expect(decision.kind).toBe('pool');
      else expect(decision).toMatchObject({ kind: 'waiting', dueAt: new Date(firstMs ?? endsMs) });
      counts[decision.kind === 'waiting' ? 'waiting' : 'others'] += 1;
    }),
    { numRuns: 7000, seed: 17 },
  );
  expect(counts.waiting).toBeGreaterThan(1000);
});

/** Tries the rule without a wait moment by moment; a new day frees those who had their leads of the day. */
function firstMoment(roster: Roster, rules: Rule[], now: Date, endsMs: number): number | null {
  for (let ms = now.getTime(); ms <= endsMs; ms += STEP_MS) {
    const at = new Date(ms);
    const agents = roster.agents.map((agent) =>
      localTime(at, agent.timeZone)?.date === localTime(now, agent.timeZone)?.date
        ? agent
        : { ...agent, assignedToday: 0 },
    );
    if (route({ ...roster, agents }, { rules, now: at }).kind === 'assigned') return ms;
  }
  return null;
}
