import fc from 'fast-check';
import type { Condition, ConditionField, LeadFacts } from '../../../domain/routing/condition.ts';
import { createLeadFinder } from '../../../domain/routing/example-lead.ts';
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
const conditionsAndLeads = someFields.chain((fields) => {
  const all = fc.array(conditionsOn(fields), { maxLength: 4 });
  return fc.tuple(all, all, leadsOn(fields));
});

const RECORDS: LintRecords = {
  agents: [makeAgent({ id: 'sara', languages: ['en'], locationIds: ['dubai'] })],
  teams: [
    { id: 'team', agentIds: ['sara'] },
    { id: 'empty', agentIds: [] },
  ],
  pools: [{ id: 'pool', enabled: true }],
  locations: PLACES,
};

const RUNS = { numRuns: 400 };

function holdsFor(conditions: readonly Condition[], lead: LeadFacts): boolean {
  return matchRule(makeRule({ when: [conditions] }), lead).kind === 'matched';
}

function warningsOf(given: readonly object[], records: Partial<LintRecords> = {}) {
  const made = given.map((rule, number) => makeRule({ order: number, ...rule }));
  return lintRules({ active: [], rules: made }, { ...RECORDS, ...records }).warnings;
}

const kindsOf = (...given: Parameters<typeof warningsOf>) =>
  warningsOf(...given).map(({ rule, flaw }) => [rule, flaw.kind]);

describe('a lead that is looked for by conditions', () => {
  it('is found exactly where one can meet them', () => {
    fc.assert(
      fc.property(conditionsAndLeads, ([held, failed, past]) => {
        const [wanted, unwanted] = [held, failed].map((each) => makeRule({ when: [each] }).when[0]);
        const conditions = { held: wanted ?? [], failed: unwanted ?? [] };
        const meets = (lead: LeadFacts) =>
          holdsFor(conditions.held, lead) &&
          !conditions.failed.some((each) => holdsFor([each], lead));
        const find = createLeadFinder([...conditions.held, ...conditions.failed], PLACES);
        const found = find(conditions);
        if (found) expect(meets(found)).toBe(true);
        else expect(past.filter(meets)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a warning', () => {
  it('of a rule that is never reached holds for every lead', () => {
    let reported = 0;
    fc.assert(
      fc.property(rulesAndLeads, ([given, past]) => {
        const ruleset = { rules: given };
        const flawed = lintRules({ active: [], ...ruleset }, RECORDS).warnings.filter(
          ({ flaw }) => flaw.kind === 'never_reached',
        );
        reported += flawed.length;
        for (const { rule, example } of flawed)
          for (const lead of [...past, ...(example ? [example] : [])]) {
            const matched = matchRules(lead, ruleset).rules.find((each) => each.rule.name === rule);
            expect(matched?.match.kind).not.toBe('matched');
          }
      }),
      RUNS,
    );
    expect(reported).toBeGreaterThan(100);
  });

  it('of a contradiction holds for every lead, and of two values for every lead of one', () => {
    fc.assert(
      fc.property(rulesAndLeads, ([given, past]) => {
        for (const { rule, flaw, example } of lintRules({ active: [], rules: given }, RECORDS)
          .warnings) {
          if (flaw.kind !== 'contradiction' && flaw.kind !== 'two_values') continue;
          const alternative = given.find(({ name }) => name === rule)?.when[flaw.alternative - 1];
          const matching = past.filter((lead) => holdsFor(alternative ?? [], lead));
          const isPlain = ({ location, budget: { min, max } }: LeadFacts) =>
            location.length < 2 && (min === null || max === null || min === max);
          if (flaw.kind === 'contradiction') expect(matching).toEqual([]);
          else expect(matching.filter(isPlain)).toEqual([]);
          expect(example && holdsFor(alternative ?? [], example)).toBe(flaw.kind === 'two_values');
        }
      }),
      RUNS,
    );
  });
});

describe('the mistakes that are found', () => {
  const within = (...values: string[]) => ({ field: 'location', op: 'within', values });
  const speaks = (...values: string[]) => ({ field: 'language', op: 'in', values });
  const between = (...values: (number | null)[]) => ({ field: 'budget', op: 'between', values });
  const pool = { kind: 'pool', poolId: 'pool' };

  it('are a rule whose leads an earlier one takes', () => {
    const dubai = { name: 'Dubai', when: [[within('dubai')]], target: pool };
    const marina = { name: 'Marina', when: [[within('marina'), speaks('ar')]] };
    const [warning] = warningsOf([dubai, marina]);
    expect(warning).toMatchObject({
      rule: 'Marina',
      flaw: { kind: 'never_reached', by: ['Dubai'] },
    });
    expect(warning?.example).toMatchObject({ location: [{ id: 'marina' }], language: ['ar'] });
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
      ['Marina', 'never_reached'],
      ['Marina', 'claimed_twice'],
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

  it('are conditions that contradict each other', () => {
    const notIn = { field: 'language', op: 'notIn', values: ['ar', 'ru'] };
    const none = { field: 'source', op: 'exists', values: [false] };
    const any = { field: 'source', op: 'exists', values: [true] };
    const when = [[within('dubai'), speaks('ar'), notIn], [speaks('en')], [none, any]];
    const found = warningsOf([{ when }]).map(({ flaw }) => flaw);
    expect(found).toMatchObject([
      { kind: 'contradiction', alternative: 1, failed: { field: 'language', found: ['ar'] } },
      { kind: 'contradiction', alternative: 3, failed: { field: 'source', found: [] } },
    ]);
  });

  it('are a location within another that no lead may be in', () => {
    const notIn = (...values: string[]) => ({ field: 'location', op: 'notIn', values });
    const when = [
      [within('marina'), notIn('dubai')],
      [within('dubai'), notIn('marina')],
    ];
    const [contradiction, ...others] = warningsOf([{ when }]);
    expect(contradiction?.flaw).toMatchObject({ kind: 'contradiction', alternative: 1 });
    expect(others).toEqual([]);
  });

  it('are places and budgets that share nothing, which only a lead with two of them has', () => {
    const when = [
      [within('marina'), within('sharjah')],
      [between(0, 10), between(20, 30)],
    ];
    const warnings = warningsOf([{ when }]);
    expect(warnings.map(({ flaw }) => flaw.kind)).toEqual(['two_values', 'two_values']);
    expect(warnings[0]?.example?.location).toHaveLength(2);
    expect(warnings[1]?.example?.budget).toEqual({ min: 0, max: 20 });
    const three = [[within('marina'), within('sharjah'), within('creek')]];
    expect(kindsOf([{ when: three }])).toEqual([['Everyone', 'contradiction']]);
  });

  it('are a rule without conditions before others', () => {
    const first = { name: 'First' };
    const marina = { name: 'Marina', when: [[within('marina')]] };
    expect(kindsOf([first, marina])).toEqual([['First', 'not_last']]);
    expect(kindsOf([marina, first, { name: 'Rest', target: pool }])).toEqual([]);
    expect(kindsOf([{ ...first, target: pool }, marina])).toEqual([
      ['First', 'not_last'],
      ['Marina', 'never_reached'],
    ]);
  });

  it('are a type that two rules claim for one lead', () => {
    const claims = ['Campaign distribution'];
    const rule = (name: string, when: object[][]) => ({ name, claims, when });
    const [warning] = warningsOf([rule('One', [[speaks('ar')]]), rule('Two', [[within('dubai')]])]);
    expect(warning).toMatchObject({
      rule: 'Two',
      flaw: { kind: 'claimed_twice', type: claims[0], by: 'One' },
      example: { distributionType: claims[0], language: ['ar'], location: [{}] },
    });
    const repeats = (isRepeat: boolean) => [
      [{ field: 'isRepeatLead', op: 'in', values: [isRepeat] }],
    ];
    expect(kindsOf([rule('One', repeats(true)), rule('Two', repeats(false))])).toEqual([]);
  });

  it('are a team or pool that can take no lead', () => {
    const inactive = { agents: [makeAgent({ id: 'sara', active: false })] };
    expect(kindsOf([{ target: { kind: 'team', teamId: 'empty' } }])).toEqual([
      ['Everyone', 'nobody'],
    ]);
    expect(kindsOf([{}], inactive)).toEqual([['Everyone', 'nobody']]);
    expect(kindsOf([{}], { agents: [makeAgent({ dailyCap: 0 })] })).toEqual([
      ['Everyone', 'nobody'],
    ]);
    expect(kindsOf([{}], { agents: [makeAgent({ paused: true })] })).toEqual([]);
    const off = { pools: [{ id: 'pool', enabled: false }] };
    expect(kindsOf([{ target: pool }], off)).toEqual([['Everyone', 'pool_off']]);
    expect(kindsOf([{ onExhausted: pool }], off)).toEqual([['Everyone', 'pool_off']]);
  });

  it('are languages and places that nobody of the target has', () => {
    const gates = { language: 'require', location: 'require' };
    const asks = { gates, when: [[speaks('en', 'ru'), within('marina', 'sharjah')]] };
    expect(warningsOf([asks]).map(({ flaw }) => flaw)).toEqual([
      { kind: 'not_covered', field: 'language', value: 'ru' },
      { kind: 'not_covered', field: 'location', value: 'sharjah' },
    ]);
    expect(kindsOf([{ ...asks, gates: { language: 'prefer' } }])).toEqual([]);
    expect(kindsOf([{ gates, when: [[within('uae')]] }])).toEqual([]);
  });

  it('are follow-ups that lead nowhere', () => {
    const followUp = (onExpiry: string) => ({ followUp: { onExpiry } });
    expect(kindsOf([followUp('reassign')])).toEqual([['Everyone', 'no_next_agent']]);
    expect(kindsOf([followUp('pool')])).toEqual([['Everyone', 'no_expiry_pool']]);
    expect(kindsOf([{ ...followUp('pool'), onExhausted: pool }])).toEqual([]);
    const two = [makeAgent(), makeAgent({ id: 'omar' })];
    const records = { agents: two, teams: [{ id: 'team', agentIds: ['sara', 'omar'] }] };
    const known = (contactOwner: string) => ({ ...followUp('reassign'), gates: { contactOwner } });
    expect(kindsOf([known('prefer')], records)).toEqual([]);
    expect(kindsOf([known('require')], records)).toEqual([['Everyone', 'no_next_agent']]);
  });
});

describe('past leads', () => {
  it('are counted for each warning that is about them', () => {
    const dubai = makeRule({
      name: 'Dubai',
      when: [[{ field: 'location', op: 'within', values: ['dubai'] }]],
      target: { kind: 'pool', poolId: 'pool' },
    });
    const marina = makeRule({
      name: 'Marina',
      order: 20,
      when: [[{ field: 'location', op: 'in', values: ['marina'] }]],
    });
    const { warnings, add } = lintRules({ active: [], rules: [dubai, marina] }, RECORDS);
    for (const place of PLACES) add(makeFacts({ location: [place] }));
    expect(warnings).toMatchObject([{ rule: 'Marina', leads: 1 }]);
  });

  it('of a rule without conditions left are those that it would match', () => {
    const before = makeRule({
      name: 'Dubai',
      when: [[{ field: 'location', op: 'in', values: ['dubai'] }]],
    });
    const { warnings, add } = lintRules(
      { active: [before], rules: [makeRule({ name: 'Dubai', when: [] })] },
      RECORDS,
    );
    for (const place of PLACES) add(makeFacts({ location: [place] }));
    expect(PLACES.length).toBeGreaterThan(1);
    expect(warnings).toMatchObject([
      { rule: 'Dubai', flaw: { kind: 'emptied' }, leads: PLACES.length },
    ]);
  });
});
