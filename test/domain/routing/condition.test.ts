import { readFileSync } from 'node:fs';
import type { LeadFacts } from '../../../domain/routing/condition.ts';
import { ruleSchema } from '../../../domain/routing/rules.ts';
import { matchRule } from '../../../domain/routing/match-rules.ts';
import { FACTS, OPERATORS } from './generate.ts';
import { makeFacts, makeLocation, makeRule } from './make.ts';

type Row = [sentence: string, condition: object, facts: Partial<LeadFacts>, matched: boolean];

const marina = makeLocation('marina', 'dubai', 'uae');
const creek = makeLocation('creek', 'dubai', 'uae');
const IN_MARINA = { location: [marina] };
const SPEAKS_TWO = { language: ['en', 'ar'] };
const isIn = (field: string, ...values: unknown[]) => ({ field, op: 'in', values });
const isNotIn = (field: string, ...values: unknown[]) => ({ field, op: 'notIn', values });
const isWithin = (...values: string[]) => ({ field: 'location', op: 'within', values });
const exists = (field: string, ...values: boolean[]) =>
  values.length > 0 ? { field, op: 'exists', values } : { field, op: 'exists' };
const budget = { field: 'budget', op: 'between' };
const between = (min: number | null, max: number | null) => ({ ...budget, values: [min, max] });

const rows: Row[] = [
  ['in: the value is listed', isIn('source', 'a', 'b'), { source: 'b' }, true],
  ['in: the value is not listed', isIn('source', 'a'), { source: 'b' }, false],
  ['text is compared without regard to case', isIn('currency', 'aed '), { currency: 'AED' }, true],
  ['a field the lead lacks does not match', isIn('source', 'a'), {}, false],
  ['it does where the rule says so', { ...isIn('source', 'a'), onMissing: 'pass' }, {}, true],
  ['notIn: another value', isNotIn('source', 'a'), { source: 'b' }, true],
  ['notIn: a listed value', isNotIn('source', 'a'), { source: 'A' }, false],
  ['notIn does not match a field the lead lacks', isNotIn('source', 'a'), {}, false],
  ['any of several languages is enough for in', isIn('language', 'ar'), SPEAKS_TWO, true],
  ['one listed language is enough to fail notIn', isNotIn('language', 'ar'), SPEAKS_TWO, false],
  ['within: the place itself', isWithin('marina'), IN_MARINA, true],
  ['within: a place above it', isWithin('dubai'), IN_MARINA, true],
  ['within: a place beside it', isWithin('creek'), IN_MARINA, false],
  ['within: either of two places', isWithin('creek'), { location: [marina, creek] }, true],
  ['in: a location, but not what lies in it', isIn('location', 'dubai'), IN_MARINA, false],
  ['notIn: a location within a listed one', isNotIn('location', 'dubai'), IN_MARINA, false],
  ['notIn: a location beside a listed one', isNotIn('location', 'creek'), IN_MARINA, true],
  ['exists: present', exists('campaign'), { campaign: 'c' }, true],
  ['exists: missing', exists('campaign', true), {}, false],
  ['exists false: missing', exists('campaign', false), {}, true],
  ['exists: missing, and may be', { field: 'campaign', op: 'exists', onMissing: 'pass' }, {}, true],
  ['exists: a list with nothing in it is missing', exists('language'), {}, false],
  ['exists: one bound is a budget', exists('budget'), { budget: { min: null, max: 5 } }, true],
  ['a yes/no field is never missing', isIn('isRepeatLead', false), {}, true],
  ['a yes/no field that is yes', isIn('isAgentEnquiry', true), { isAgentEnquiry: true }, true],
  ['budgets that overlap', between(1, 5), { budget: { min: 4, max: 9 } }, true],
  ['budgets that touch', between(1, 5), { budget: { min: 5, max: 9 } }, true],
  ['budgets that touch from below', between(5, 9), { budget: { min: 1, max: 5 } }, true],
  ['one amount', between(5, 5), { budget: { min: 5, max: null } }, true],
  ['budgets apart', between(1, 5), { budget: { min: 6, max: 9 } }, false],
  ['no upper bound in the rule', between(5, null), { budget: { min: 6, max: 9 } }, true],
  ['no lower bound in the rule', between(null, 5), { budget: { min: 6, max: 9 } }, false],
  ['a lone budgetMax is that amount', between(null, 5), { budget: { min: null, max: 9 } }, false],
  ['a lone budgetMin is that amount', between(50, null), { budget: { min: 9, max: null } }, false],
  ['bounds the wrong way round are a range', between(1, 5), { budget: { min: 9, max: 4 } }, true],
  [
    'bounds given as min and max',
    { ...budget, min: '1000', max: null },
    { budget: { min: 999, max: 999 } },
    false,
  ],
  ['no budget at all', between(1, 5), {}, false],
];

describe('a condition of a rule', () => {
  it.each(rows)('%s', (_sentence, condition, facts, matched) => {
    const rule = makeRule({ when: [[condition]] });
    expect(matchRule(rule, makeFacts(facts)).kind).toBe(matched ? 'matched' : 'failed');
  });

  it.each(OPERATORS.map(({ op }) => op))(
    '%s is shown with a lead that meets it and one that does not',
    (op) => {
      const shown = rows.filter(([, condition]) => 'op' in condition && condition.op === op);
      expect(new Set(shown.map(([, , , matched]) => matched))).toEqual(new Set([true, false]));
    },
  );

  it('takes a field that stored facts of before do not have as missing', () => {
    const older = { ...makeFacts(), eventType: undefined } as unknown as LeadFacts;
    const rule = makeRule({ when: [[{ field: 'eventType', op: 'exists' }]] });
    expect(matchRule(rule, older)).toMatchObject({ failed: [{ found: [] }] });
  });
});

describe('docs/runbook.md', () => {
  const page = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
  const fields = Object.keys(FACTS);
  const quoted = (text = '') => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);

  it('has each operator, with its fields', () => {
    const [, table = ''] = /^\| `op` .*\n\|[- |]+\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const documented = table
      .split('\n')
      .slice(0, -1)
      .map((row) => {
        const [, op, taken = ''] = row.split('|');
        const named = quoted(taken);
        const isTaken = (field: string) => named.includes(field) === taken.includes('only');
        return { op: quoted(op)[0], fields: fields.filter(isTaken) };
      });
    const known = OPERATORS.map(({ op, fields: taken }) => ({ op, fields: taken.toSorted() }));
    const sorted = documented.map((row) => ({ ...row, fields: row.fields.toSorted() }));
    expect(sorted).toEqual(known);
  });

  it('names each field', () => {
    const [list] = /^The fields are [^.]*\./m.exec(page) ?? [];
    expect(quoted(list).toSorted()).toEqual(fields.toSorted());
  });
});

describe('when', () => {
  const source = isIn('source', 'web');
  const arabic = isIn('language', 'ar');

  it('matches every lead when there is none', () => {
    expect(matchRule(makeRule(), makeFacts())).toEqual({ kind: 'matched' });
  });

  it('needs all conditions of one alternative', () => {
    const rule = makeRule({ when: [[source, arabic]] });
    expect(matchRule(rule, makeFacts({ source: 'web' })).kind).toBe('failed');
    expect(matchRule(rule, makeFacts({ source: 'web', language: ['ar'] })).kind).toBe('matched');
  });

  it('needs only one of several alternatives', () => {
    const rule = makeRule({ when: [[source], [arabic]] });
    expect(matchRule(rule, makeFacts({ language: ['ar'] })).kind).toBe('matched');
  });

  it('names of each alternative the first condition that failed, what was wanted and what was found', () => {
    const rule = makeRule({ when: [[source, arabic], [arabic]] });
    expect(matchRule(rule, makeFacts({ source: 'web', language: ['en'] }))).toEqual({
      kind: 'failed',
      failed: [
        { field: 'language', op: 'in', wanted: ['ar'], found: ['en'] },
        { field: 'language', op: 'in', wanted: ['ar'], found: ['en'] },
      ],
    });
  });
});

describe('a stored rule', () => {
  it('has every default written out', () => {
    expect(makeRule()).toEqual({
      name: 'Everyone',
      order: 10,
      enabled: true,
      claims: [],
      when: [],
      target: { kind: 'team', teamId: 'team' },
      strategy: 'weighted_round_robin',
      gates: { language: 'off', location: 'off', availability: 'ignore', caps: true },
      onExhausted: { kind: 'next' },
      followUp: { minutes: null, onExpiry: 'note', maxMoves: 2, poolId: null },
    });
  });

  it('reads back as it was stored', () => {
    const rule = makeRule({
      when: [
        [
          { ...budget, min: 5 },
          { field: 'source', op: 'exists' },
        ],
      ],
    });
    expect(ruleSchema.parse(JSON.parse(JSON.stringify(rule)))).toEqual(rule);
  });

  it.each([
    ['between on anything but the budget', { when: [[{ ...between(1, 2), field: 'source' }]] }],
    ['within on anything but a location', { when: [[{ ...isWithin('a'), field: 'source' }]] }],
    ['in on the budget', { when: [[isIn('budget', '5')]] }],
    ['in without values', { when: [[isIn('source')]] }],
    ['a range without a bound', { when: [[{ ...budget }]] }],
    ['a range upside down', { when: [[between(5, 1)]] }],
    ['an unknown field', { when: [[isIn('phone', '1')]] }],
    ['an unknown setting', { gate: {} }],
    ['a claim on an unrecognised distribution type', { claims: ['Lottery'] }],
  ])('refuses %s', (_fault, overrides) => {
    expect(() => makeRule(overrides)).toThrow();
  });
});
