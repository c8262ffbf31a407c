import { decide, reassign } from '../../../domain/routing/decide.ts';
import { UNREADABLE } from '../../../domain/routing/eligibility.ts';
import type { LeadFacts } from '../../../domain/routing/condition.ts';
import { type Rule } from '../../../domain/routing/rules.ts';
import { candidatesOf, matchRules } from '../../../domain/routing/match-rules.ts';
import type { Roster, RosterAgent } from '../../../domain/routing/roster.ts';
import {
  DEFAULTS,
  makeAgent,
  makeFacts,
  makeLocation,
  makeRoster,
  makeRule,
  NOON_IN_DUBAI,
} from './make.ts';

const DAY = '2026-03-02';
const ELEVEN = `${DAY}T11:00+04:00`;
const web = { field: 'source', op: 'in', values: ['web'] };
const toAgent = (agentId: string) => ({ kind: 'agent', agentId });
const toPool = (poolId: string) => ({ kind: 'pool', poolId });
const two = makeRoster([makeAgent({ id: 'sara' }), makeAgent({ id: 'omar' })]);

function route(facts: Partial<LeadFacts>, rules: Rule[], roster: Roster = two) {
  return decide(matchRules(makeFacts(facts), { rules }), roster, NOON_IN_DUBAI, DEFAULTS);
}

describe('the order of rules', () => {
  it('is the order number, then the name', () => {
    const rules = [
      makeRule({ name: 'b', order: 1, target: toAgent('omar') }),
      makeRule({ name: 'c', order: 0, when: [[web]] }),
      makeRule({ name: 'a', order: 1, target: toAgent('sara') }),
    ];
    const { explanation } = route({}, rules);
    expect(explanation.rules.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['c', 'not_matched'],
      ['a', 'chosen'],
      ['b', 'not_reached'],
    ]);
  });

  it('leaves out rules that are switched off', () => {
    expect(route({}, [makeRule({ enabled: false })])).toEqual({
      kind: 'unassigned',
      ruleName: null,
      explanation: { version: 1, rules: [] },
    });
  });

  it('ends in unassigned after the last rule', () => {
    expect(route({}, [makeRule({ when: [[web]] })])).toMatchObject({
      kind: 'unassigned',
      ruleName: null,
    });
  });
});

describe('distributionType', () => {
  const normal = makeRule({ name: 'normal', order: 1, target: toAgent('sara') });
  const claims = { claims: ['campaign'], target: toAgent('omar') };
  const claiming = makeRule({ name: 'claims', order: 9, ...claims });

  it.each([
    ['a rule that claims the value outranks the order', 'Campaign distribution', 'omar'],
    ['matching is case-insensitive after trimming', '  CAMPAIGN distribution ', 'omar'],
    ['the leading word alone also works', 'campaign', 'omar'],
    ['a value that no rule claims is only a hint', 'Developer distribution', 'sara'],
    ['an unrecognised value matches no routing rule', 'campaigns', 'sara'],
    ['without a value the order decides', null, 'sara'],
  ])('%s', (_sentence, distributionType, agentId) => {
    expect(route({ distributionType }, [normal, claiming])).toMatchObject({ agentId });
  });

  it('does not excuse a claiming rule from its conditions', () => {
    const picky = makeRule({ ...claiming, when: [[web]] });
    const decision = route({ distributionType: 'campaign' }, [normal, picky]);
    expect(decision).toMatchObject({ agentId: 'sara' });
    expect(decision.explanation.rules).toMatchObject([
      { name: 'claims', claimed: true, outcome: 'not_matched' },
      { name: 'normal', claimed: false, outcome: 'chosen' },
    ]);
  });

  it('leaves a claiming rule where it is in the normal order for other leads', () => {
    expect(route({}, [claiming])).toMatchObject({ agentId: 'omar' });
  });
});

describe('who can take a lead', () => {
  const arabicLead = { language: ['ar'], location: [makeLocation('marina', 'dubai')] };
  const atWork = { availability: 'working_hours' };
  const onTuesdays = { workingHours: { tue: '09:00-18:00' } };
  const absent = (from: string, to: string) => ({ absences: [{ from, to }] });
  const unreadable = { language: [UNREADABLE] };
  const [speaking, covering] = [{ language: 'require' }, { location: 'require' }];
  const heldBySara = { excludedAgentIds: ['sara'] };
  const rows: [
    reason: string | null,
    sentence: string,
    agent?: Partial<RosterAgent>,
    eligibility?: object,
    facts?: Partial<LeadFacts>,
  ][] = [
    ['inactive', 'not an inactive agent', { active: false }],
    ['paused', 'not a paused agent', { paused: true }],
    ['absent', 'not to the end of the last day of an absence', absent('2026-02-20', '2026-03-02')],
    ['absent', 'not an absent agent by the hour', absent(ELEVEN, `${DAY}T12:01+04:00`)],
    [null, 'after an absence', absent(ELEVEN, `${DAY}T12:00+04:00`)],
    [null, 'before an absence', absent('2026-03-03', '2026-03-04')],
    ['held_earlier_in_round', 'not who held it in this round', {}, {}, heldBySara],
    ['daily_cap', 'not over the daily cap', { dailyCap: 3, assignedToday: 3 }],
    [null, 'below the daily cap', { dailyCap: 3, assignedToday: 2 }],
    ['open_cap', 'not over the open-lead cap', { openCap: 0 }],
    [null, 'over a cap where the rule ignores caps', { openCap: 0, dailyCap: 0 }, { caps: false }],
    ['outside_working_hours', 'not outside working hours where the rule asks', onTuesdays, atWork],
    [null, 'outside working hours where the rule does not ask', onTuesdays],
    [null, 'without working hours at all times', {}, atWork],
    ['language', 'not without a wanted language', { languages: ['en'] }, speaking, arabicLead],
    [null, 'speaking a wanted language', { languages: ['AR'] }, speaking, arabicLead],
    [null, 'anyone for a lead without a language', {}, speaking],
    ['unreadable_language', 'nobody for unreadable languages', {}, speaking, unreadable],
    [null, 'anyone for these where one is preferred', {}, { language: 'prefer' }, unreadable],
    ['location', 'not elsewhere', { locationIds: ['creek'] }, covering, arabicLead],
    [null, 'covering a place above the lead’s', { locationIds: ['dubai'] }, covering, arabicLead],
    [null, 'anyone for a lead without a location', {}, covering],
  ];

  const preferring = makeRule({ gates: { language: 'prefer' } });

  it.each(rows)('%s: %s', (reason, _sentence, agent, gates = {}, facts = {}) => {
    const decision = route(facts, [makeRule({ gates })], makeRoster([makeAgent(agent)]));
    const [trace] = decision.explanation.rules;
    if (reason === null) expect(decision).toMatchObject({ kind: 'assigned', agentId: 'sara' });
    else
      expect(trace).toMatchObject({
        outcome: 'exhausted',
        agents: [{ agentId: 'sara', eligible: false, reason }],
      });
  });

  it('is nobody on a holiday when the rule asks for working hours', () => {
    const roster = { ...makeRoster([makeAgent()]), holidays: [{ from: DAY, to: DAY }] };
    expect(route({}, [makeRule({ gates: atWork })], roster).explanation.rules[0]).toMatchObject({
      agents: [{ agentId: 'sara', eligible: false, reason: 'holiday' }],
    });
    expect(route({}, [makeRule()], roster)).toMatchObject({ agentId: 'sara' });
  });

  it('is the preferred ones where there are any', () => {
    const roster = makeRoster([makeAgent(), makeAgent({ id: 'omar', languages: ['ar'] })]);
    const decision = route({ language: ['ar'] }, [preferring], roster);
    expect(decision).toMatchObject({ agentId: 'omar' });
    expect(decision.explanation.rules[0]).toMatchObject({
      selection: {
        preferred: ['language'],
        agents: [
          { agentId: 'sara', eligible: false, reason: 'others_preferred_for_language' },
          { agentId: 'omar', eligible: true },
        ],
      },
    });
  });

  describe('with an agent of the contact’s newest earlier lead', () => {
    const credits = { sara: { credit: 0.5 }, omar: { credit: -0.5 } };
    const by = (contactOwner: string, omar: Partial<RosterAgent> = {}, facts = {}, rule = {}) =>
      route(
        { contactOwnerId: 'omar', ...facts },
        [makeRule({ ...rule, gates: { contactOwner, language: 'prefer' } })],
        makeRoster([makeAgent({ languages: ['ar'] }), makeAgent({ id: 'omar', ...omar })], credits),
      );

    it.each(['prefer', 'require'])(
      'is them where the rule says %s, outside of the turns',
      (gate) => {
        const decision = by(gate, {}, { language: ['ar'] });
        expect(decision).toMatchObject({
          agentId: 'omar',
          rotation: [{ agentId: 'omar', credit: -0.5 }],
        });
        expect(decision.explanation.rules[0]).toMatchObject({
          why: 'agent of the customer’s newest earlier lead',
          selection: { agents: [{ agentId: 'sara', eligible: false }, { eligible: true }] },
        });
        expect(by(gate, {}, {}, { strategy: 'least_loaded' })).toMatchObject({ agentId: 'omar' });
      },
    );

    it.each<[string, Partial<RosterAgent>, Partial<LeadFacts>]>([
      ['is inactive', { active: false }, {}],
      ['is absent', absent(DAY, DAY), {}],
      ['is at a cap', { openCap: 0 }, {}],
      ['held the lead earlier in this round', {}, { excludedAgentIds: ['omar'] }],
      ['is of another team', {}, { contactOwnerId: 'lina' }],
      ['is not known', {}, { contactOwnerId: undefined }],
    ])('is everyone or nobody where that agent %s', (_, omar, facts) => {
      expect(by('prefer', omar, facts)).toEqual(by('off', omar, facts));
      const pool = { onExhausted: { kind: 'pool', poolId: 'pool' } };
      const decision = by('require', omar, facts, pool);
      expect(decision).toMatchObject({ kind: 'pool', poolId: 'pool' });
      expect(decision.explanation.rules[0]).toMatchObject({
        outcome: 'exhausted',
        agents: [{ agentId: 'sara', reason: 'not_contact_owner' }, { eligible: false }],
      });
    });

    it('waits for them alone where the rule requires them', () => {
      const wait = { onExhausted: { kind: 'wait', atMostMinutes: 1440 } };
      expect(by('require', absent(DAY, DAY), {}, wait)).toMatchObject({
        kind: 'waiting',
        dueAt: new Date('2026-03-02T20:00Z'),
      });
    });
  });

  it('is everyone where all are preferred, and then nothing narrowed the choice', () => {
    expect(route({}, [preferring]).explanation.rules[0]).toMatchObject({
      selection: { preferred: [] },
    });
  });

  it('is everyone where nobody is preferred', () => {
    expect(route({ language: ['ar'] }, [preferring])).toMatchObject({ agentId: 'sara' });
  });

  it('applies the same eligibility to an agent whom the rule names', () => {
    const roster = makeRoster([makeAgent({ paused: true })]);
    expect(route({}, [makeRule({ target: toAgent('sara') })], roster)).toMatchObject({
      kind: 'unassigned',
    });
  });
});

describe('when nobody can take the lead', () => {
  const nobody = makeRoster([makeAgent({ id: 'sara', paused: true }), makeAgent({ id: 'omar' })]);
  const first = { name: 'first', order: 1, target: toAgent('sara') };
  const second = makeRule({ name: 'second', order: 2, target: toAgent('omar') });

  it.each([
    [{ kind: 'next' }, { kind: 'assigned', agentId: 'omar', ruleName: 'second' }],
    [
      { kind: 'pool', poolId: 'weekend' },
      { kind: 'pool', poolId: 'weekend', ruleName: 'first' },
    ],
    [{ kind: 'unassigned' }, { kind: 'unassigned', ruleName: 'first' }],
  ])('the rule says %j', (onExhausted, expected) => {
    expect(route({}, [makeRule({ ...first, onExhausted }), second], nobody)).toMatchObject(
      expected,
    );
  });

  it('a team that is gone counts as nobody', () => {
    const rule = makeRule({ target: { kind: 'team', teamId: 'gone' } });
    expect(route({}, [rule])).toMatchObject({ kind: 'unassigned' });
  });
});

describe('a rule that places the lead', () => {
  it('leaves it in the pool it names', () => {
    expect(route({}, [makeRule({ target: toPool('weekend') })])).toMatchObject({
      kind: 'pool',
      poolId: 'weekend',
    });
  });

  it('sets the follow-up, from configuration where the rule has none', () => {
    expect(route({}, [makeRule()])).toMatchObject({
      followUp: { minutes: 15, onExpiry: 'note', maxMoves: 2, poolId: null },
    });
    const own = makeRule({
      followUp: { minutes: 0, onExpiry: 'pool' },
      onExhausted: { kind: 'pool', poolId: 'weekend' },
    });
    expect(route({}, [own])).toMatchObject({
      followUp: { minutes: 0, onExpiry: 'pool', poolId: 'weekend' },
    });
  });
});

describe('the follow-up’s move', () => {
  const move = (rule: Rule, held: string[], roster = two) =>
    reassign(rule, makeFacts({ excludedAgentIds: held }), roster, NOON_IN_DUBAI, DEFAULTS);
  const never = new Date('9999-01-01T00:00:00Z');

  it('goes to the next eligible agent of the same rule', () => {
    expect(move(makeRule(), ['sara'])).toMatchObject({
      kind: 'assigned',
      agentId: 'omar',
      ruleName: 'Everyone',
    });
  });

  it('never returns to an earlier holder', () => {
    expect(move(makeRule(), ['sara', 'omar'])).toMatchObject({
      kind: 'waiting',
      ruleName: 'Everyone',
      dueAt: never,
    });
  });

  it('has no successor for a named agent or a pool', () => {
    const nobody = { kind: 'waiting', dueAt: never };
    expect(move(makeRule({ target: toAgent('sara') }), ['sara'])).toMatchObject(nobody);
    expect(move(makeRule({ target: toPool('weekend') }), [])).toMatchObject(nobody);
  });

  it.each<[string, Partial<RosterAgent>, Date]>([
    ['begin', { workingHours: { 'mon-sun': '20:00-22:00' } }, new Date('2026-03-02T16:00:00Z')],
    ['begin again', { assignedToday: 1, dailyCap: 1 }, new Date('2026-03-02T20:00:00Z')],
    ['and a pause end', { paused: true, workingHours: { 'mon-sun': '20:00-22:00' } }, never],
  ])('waits until the hours or the day of the next agent %s', (_, omar, dueAt) => {
    const roster = makeRoster([makeAgent(), makeAgent({ id: 'omar', ...omar })]);
    const rule = makeRule({ gates: { availability: 'working_hours' } });
    expect(move(rule, ['sara'], roster)).toMatchObject({ kind: 'waiting', dueAt });
  });
});

describe('what a decision could touch', () => {
  it('is the targets of matching rules, up to one that stops', () => {
    const never = { kind: 'team', teamId: 'never' };
    const stops = { target: toAgent('sara'), onExhausted: { kind: 'unassigned' } };
    const rules = [
      makeRule({ name: 'other source', order: 1, when: [[web]], target: never }),
      makeRule({ name: 'team', order: 2 }),
      makeRule({ name: 'agent', order: 3, ...stops }),
      makeRule({ name: 'late', order: 4, target: toAgent('omar') }),
    ];
    expect(candidatesOf(matchRules(makeFacts(), { rules }))).toEqual({
      teamIds: ['team'],
      agentIds: ['sara'],
      byLoad: false,
    });
  });

  it('stops at a rule that leaves the lead in a pool', () => {
    const rules = [
      makeRule({ order: 1, target: toPool('weekend') }),
      makeRule({ name: 'late', order: 2 }),
    ];
    expect(candidatesOf(matchRules(makeFacts(), { rules }))).toEqual({
      teamIds: [],
      agentIds: [],
      byLoad: false,
    });
  });
});
