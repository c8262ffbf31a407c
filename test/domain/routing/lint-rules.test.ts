import fc from 'fast-check';
import type { ConditionField, LeadFacts } from '../../../domain/routing/condition.ts';
import { lintRules, type LintRecords } from '../../../domain/routing/lint-rules.ts';
import { type Rule } from '../../../domain/routing/rules.ts';
import { matchRule, matchRules } from '../../../domain/routing/match-rules.ts';
import { conditionsOn, factsOn, PLACES, someFields } from './generate.ts';
import { makeAgent, makeFacts, makeRule } from './make.ts';

const TYPES = ['Campaign distribution', 'Developer distribution'];

const rulesOn = (fields: readonly ConditionField[]): fc.Arbitrary<Rule[]> =>
  fc
    .array(
      fc.record({
        order: fc.integer({ min: 0, max: 3 }),
        claims: fc.subarray(TYPES),
        when: fc.array(fc.array(conditionsOn(fields), { maxLength: 4 }), { maxLength: 3 }),
        target: fc.constantFrom(
          { kind: 'team', teamId: 'team' },
          { kind: 'agent', agentId: 'sara' },
          { kind: 'pool', poolId: 'pool' },
        ),
        onExhausted: fc.constantFrom({ kind: 'next' }, { kind: 'unassigned' }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((given) => given.map((rule, number) => makeRule({ ...rule, name: `rule ${number}` })));

const leadsOn = (fields: readonly ConditionField[]): fc.Arbitrary<LeadFacts[]> =>
  fc.array(
    fc
      .tuple(factsOn(fields), fc.option(fc.constantFrom(...TYPES, 'Lottery')))
      .map(([facts, distributionType]) => makeFacts({ ...facts, distributionType })),
    { minLength: 60, maxLength: 60 },
  );

const rulesAndLeads = someFields.chain((fields) => fc.tuple(rulesOn(fields), leadsOn(fields)));
const RECORDS: LintRecords = {
  agents: [makeAgent({ id: 'sara' })],
  teams: [
    { id: 'team', agentIds: ['sara'] },
    { id: 'empty', agentIds: [] },
  ],
  pools: new Map([['pool', { name: 'Weekend Pool', enabled: true }]]),
  places: new Map(PLACES.map(({ id, ancestorIds }) => [id, ancestorIds])),
};

const RUNS = { numRuns: 400 };

function warningsOf(given: readonly object[], records: Partial<LintRecords> = {}) {
  const made = given.map((rule, number) => makeRule({ order: number, ...rule }));
  return lintRules(made, { ...RECORDS, ...records });
}

const kindsOf = (...given: Parameters<typeof warningsOf>) =>
  warningsOf(...given).map(({ rule, flaw }) => [rule, flaw.kind]);

describe('a warning', () => {
  it('of a rule that is never reached holds for every lead', () => {
    let reported = 0;
    fc.assert(
      fc.property(rulesAndLeads, ([rules, past]) => {
        const flawed = lintRules(rules, RECORDS).filter(
          ({ flaw }) => flaw.kind === 'never_reached',
        );
        reported += flawed.length;
        for (const { rule } of flawed)
          for (const lead of past) {
            const matched = matchRules(lead, { rules }).rules.find(
              (each) => each.rule.name === rule,
            );
            expect(matched?.match.kind).not.toBe('matched');
          }
      }),
      RUNS,
    );
    expect(reported).toBeGreaterThan(100);
  });

  it('of a contradiction holds for every lead of one place and one amount', () => {
    let reported = 0;
    const isPlain = ({ location, budget: { min, max } }: LeadFacts) =>
      location.length < 2 && (min === null || max === null || min === max);
    fc.assert(
      fc.property(rulesAndLeads, ([rules, past]) => {
        for (const { rule, flaw } of lintRules(rules, RECORDS)) {
          if (flaw.kind !== 'contradiction') continue;
          reported += 1;
          const alternative = rules.find(({ name }) => name === rule)?.when[
            Number(flaw.alternative) - 1
          ];
          const only = makeRule({ when: [alternative ?? []] });
          const matching = past.filter((lead) => matchRule(only, lead).kind === 'matched');
          expect(matching.filter(isPlain)).toEqual([]);
        }
      }),
      RUNS,
    );
    expect(reported).toBeGreaterThan(100);
  });
});

describe('the mistakes that are found', () => {
  const within = (...values: string[]) => ({ field: 'location', op: 'within', values });
  const speaks = (...values: string[]) => ({ field: 'language', op: 'in', values });
  const between = (...values: (number | null)[]) => ({ field: 'budget', op: 'between', values });
  const source = (op: string, ...values: unknown[]) => ({ field: 'source', op, values });
  const pool = { kind: 'pool', poolId: 'pool' };

  it('are a rule whose leads an earlier one takes', () => {
    const dubai = { name: 'Dubai', when: [[within('dubai')]], target: pool };
    const marina = { name: 'Marina', when: [[within('marina'), speaks('ar')]] };
    expect(warningsOf([dubai, marina])).toEqual([
      {
        rule: 'Marina',
        order: 1,
        flaw: { kind: 'never_reached', by: ['Dubai'] },
        text: `Rule 'Marina' (order 1) is never reached: 'Dubai' before it takes every lead that it matches.`,
      },
    ]);
    expect(kindsOf([{ name: 'Dubai', when: dubai.when }, marina])).toEqual([]);
    expect(kindsOf([{ ...dubai, enabled: false }, marina])).toEqual([]);
    const waiting = (then: object) => {
      const onExhausted = { kind: 'wait', atMostMinutes: 60, then };
      return kindsOf([{ name: 'Dubai', when: dubai.when, onExhausted }, marina]);
    };
    expect(waiting(pool)).toEqual([['Marina', 'never_reached']]);
    expect(waiting({ kind: 'next' })).toEqual([]);
    const claiming = { ...marina, claims: ['Campaign distribution'] };
    expect(kindsOf([dubai, claiming])).toEqual([]);
    expect(kindsOf([{ ...dubai, claims: claiming.claims }, claiming])).toEqual([
      ['Marina', 'claimed_twice'],
    ]);
    const web = { name: 'Web', when: [[source('notIn', 'web')]], target: pool };
    const others = { name: 'Others', when: [[source('notIn', 'web', 'call')]] };
    expect(kindsOf([web, others])).toEqual([['Others', 'never_reached']]);
    expect(kindsOf([others, web])).toEqual([]);
    expect(kindsOf([{ name: 'First', target: pool }, marina])).toEqual([
      ['Marina', 'never_reached'],
    ]);
  });

  it('are budgets within others, and each alternative taken by another rule', () => {
    const low = { name: 'Low', when: [[between(null, 100)]], target: pool };
    const high = { name: 'High', when: [[between(200, null)]], target: pool };
    const both = { name: 'Both', when: [[between(50, 80)], [between(300, 400)]] };
    expect(kindsOf([low, high, both])).toEqual([['Both', 'never_reached']]);
    const beside = { ...both, when: [[between(50, 80)], [between(150, 400)]] };
    expect(kindsOf([low, high, beside])).toEqual([]);
  });

  const place = (op: string, ...values: string[]) => ({ field: 'location', op, values });
  const language = (op: string, ...values: string[]) => ({ field: 'language', op, values });

  const passing = { ...source('in', 'web'), onMissing: 'pass' };

  it.each<[string, object, object, boolean]>([
    ['languages of which none is left', speaks('ar'), language('notIn', 'ar', 'ru'), true],
    ['two languages, which a lead may speak', speaks('ar'), speaks('en'), false],
    ['any and no source', source('exists', false), source('exists', true), true],
    ['two sources', source('in', 'web'), source('in', 'call', 'portal'), true],
    ['sources with one in common', source('in', 'web', 'call'), source('in', 'call'), false],
    ['a place within one that is excluded', within('marina'), place('notIn', 'dubai'), true],
    ['a place without one within it', within('dubai'), place('notIn', 'marina'), false],
    ['places apart', within('marina'), within('sharjah'), true],
    ['a place and one within it', place('in', 'marina'), within('dubai'), false],
    ['budgets apart', between(0, 10), between(20, 30), true],
    ['budgets that meet', between(0, 20), between(20, null), false],
    ['a value that may be missing', passing, source('exists', false), false],
  ])('are conditions that contradict each other: %s', (_, one, other, isFound) => {
    for (const all of [
      [one, other],
      [other, one],
    ])
      expect(kindsOf([{ when: [[], all] }])).toEqual(
        isFound ? [['Everyone', 'contradiction']] : [],
      );
  });

  it('are a type that two rules claim for one lead', () => {
    const claims = ['Campaign distribution'];
    const rule = (name: string, when: object[][]) => ({ name, claims, when });
    const warnings = warningsOf([rule('One', [[speaks('ar')]]), rule('Two', [[within('dubai')]])]);
    expect(warnings).toMatchObject([
      { rule: 'Two', flaw: { kind: 'claimed_twice', type: claims[0], by: 'One' } },
    ]);
    const repeats = (isRepeat: boolean) => [
      [{ field: 'isRepeatLead', op: 'in', values: [isRepeat] }],
    ];
    expect(kindsOf([rule('One', repeats(true)), rule('Two', repeats(false))])).toEqual([]);
  });

  it('are a team or pool that can take no lead', () => {
    const inactive = { agents: [makeAgent({ id: 'sara', active: false })] };
    expect(warningsOf([{ target: { kind: 'team', teamId: 'empty' } }])[0]?.text).toBe(
      `Rule 'Everyone' (order 0) goes to nobody: its team has no agents.`,
    );
    for (const deleted of [
      { kind: 'agent', agentId: 'omar' },
      { kind: 'team', teamId: 'gone' },
    ])
      expect(kindsOf([{ target: deleted }])).toEqual([['Everyone', 'nobody']]);
    expect(kindsOf([{}], inactive)).toEqual([['Everyone', 'nobody']]);
    expect(kindsOf([{}], { agents: [makeAgent({ dailyCap: 0 })] })).toEqual([
      ['Everyone', 'nobody'],
    ]);
    expect(kindsOf([{}], { agents: [makeAgent({ paused: true })] })).toEqual([]);
    const off = { pools: new Map([['pool', { name: 'Weekend Pool', enabled: false }]]) };
    expect(warningsOf([{ target: pool }], off)).toMatchObject([
      {
        flaw: { kind: 'pool_off', poolId: 'pool' },
        text: expect.stringContaining('names pool Weekend Pool, which'),
      },
    ]);
    expect(kindsOf([{ onExhausted: pool }], off)).toEqual([['Everyone', 'pool_off']]);
    expect(kindsOf([{ target: pool }], { pools: new Map() })).toEqual([['Everyone', 'pool_off']]);
  });

  it('are the agent of an earlier lead, asked for by a rule of a pool', () => {
    const gates = { contactOwner: 'prefer' };
    expect(kindsOf([{ target: pool, gates }])).toEqual([['Everyone', 'contact_owner_of_pool']]);
    expect(kindsOf([{ gates }])).toEqual([]);
  });

  it('are leads without a response that move to no pool', () => {
    const followUp = { onExpiry: 'pool' };
    expect(kindsOf([{ followUp }])).toEqual([['Everyone', 'no_expiry_pool']]);
    expect(kindsOf([{ followUp, onExhausted: pool }])).toEqual([]);
  });

  const never = { workingHours: { mon: '' } };
  const nights = { workingHours: { 'mon-sun': '20:00-08:00' } };
  const days = { workingHours: { 'mon-sun': '08:00-20:00' } };
  const once = {
    ...never,
    datedHours: [{ from: '2026-03-02', to: '2026-03-06', workingHours: days.workingHours }],
  };
  const atWork = { gates: { availability: 'working_hours' } };
  const byWork = { clock: 'working' };

  it.each<[string, object[], { gates?: object; followUp?: object }, boolean]>([
    ['one agent', [{}], {}, true],
    ['two agents', [{}, {}], {}, false],
    ['one who is inactive', [{}, { active: false }], {}, true],
    ['one who is paused', [{}, { paused: true }], {}, false],
    ['caps of 0', [{}, { dailyCap: 0 }, { openCap: 0 }], {}, true],
    ['caps of 0 that do not count', [{}, { dailyCap: 0 }], { gates: { caps: false } }, false],
    ['no moves', [{}, {}], { followUp: { maxMoves: 0 } }, true],
    ['no clock', [{}], { followUp: { minutes: 0 } }, false],
    ['only the agent of an earlier lead', [{}, {}], { gates: { contactOwner: 'require' } }, true],
    ['rather that agent', [{}, {}], { gates: { contactOwner: 'prefer' } }, false],
    ['one who never works', [days, never], atWork, true],
    ['nobody who ever works', [never, never], atWork, true],
    ['one who works on some dates', [days, once], atWork, false],
    ['shifts apart and a clock of work', [days, nights], { ...atWork, followUp: byWork }, false],
    ['hours that do not count', [days, never], { followUp: byWork }, false],
    ['a clock of work that never runs', [never, never], { followUp: byWork }, true],
  ])('are leads without a response that nobody else can take: %s', (_, given, rule, isFound) => {
    const agents = given.map((agent, id) => makeAgent({ id: String(id), ...agent }));
    const teams = [{ id: 'team', agentIds: agents.map(({ id }) => id) }];
    const followUp = { onExpiry: 'reassign', ...rule.followUp };
    expect(kindsOf([{ ...rule, followUp }], { agents, teams })).toEqual(
      isFound ? [['Everyone', 'no_next_agent']] : [],
    );
  });
});
