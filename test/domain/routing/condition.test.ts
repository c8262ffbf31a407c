import { readFileSync } from 'node:fs';
import type { LeadFacts } from '../../../domain/routing/condition.ts';
import { ruleSchema } from '../../../domain/routing/rules.ts';
import { matchRule } from '../../../domain/routing/match-rules.ts';
import { FACTS, OPERATORS } from './generate.ts';
import { makeFacts, makeLocation, makeRule } from './make.ts';

type Row = [sentence: string, condition: object, facts: Partial<LeadFacts>, matched: boolean];

const marina = makeLocation('marina', 'dubai', 'uae');
const creek = makeLocation('creek', 'dubai', 'uae');
const budget = { field: 'budget', op: 'between' };
const between = (min: number | null, max: number | null) => ({ ...budget, values: [min, max] });

const rows: Row[] = [
  [
    'in: the value is listed',
    { field: 'source', op: 'in', values: ['a', 'b'] },
    { source: 'b' },
    true,
  ],
  [
    'in: the value is not listed',
    { field: 'source', op: 'in', values: ['a'] },
    { source: 'b' },
    false,
  ],
  [
    'text is compared without regard to case',
    { field: 'currency', op: 'in', values: ['aed '] },
    { currency: 'AED' },
    true,
  ],
  [
    'a field the lead lacks does not match',
    { field: 'source', op: 'in', values: ['a'] },
    {},
    false,
  ],
  [
    'a lacking field passes where the rule says so',
    { field: 'source', op: 'in', values: ['a'], onMissing: 'pass' },
    {},
    true,
  ],
  ['notIn: another value', { field: 'source', op: 'notIn', values: ['a'] }, { source: 'b' }, true],
  [
    'notIn: a listed value',
    { field: 'source', op: 'notIn', values: ['a'] },
    { source: 'A' },
    false,
  ],
  [
    'notIn does not match a field the lead lacks',
    { field: 'source', op: 'notIn', values: ['a'] },
    {},
    false,
  ],
  [
    'any of several languages is enough for in',
    { field: 'language', op: 'in', values: ['ar'] },
    { language: ['en', 'ar'] },
    true,
  ],
  [
    'one listed language is enough to fail notIn',
    { field: 'language', op: 'notIn', values: ['ar'] },
    { language: ['en', 'ar'] },
    false,
  ],
  [
    'any of several sub-sources is enough for in',
    { field: 'subSource', op: 'in', values: ['chat'] },
    { subSource: ['form', 'chat'] },
    true,
  ],
  [
    'within: the place itself',
    { field: 'location', op: 'within', values: ['marina'] },
    { location: [marina] },
    true,
  ],
  [
    'within: a place above it',
    { field: 'location', op: 'within', values: ['dubai'] },
    { location: [marina] },
    true,
  ],
  [
    'within: a place beside it',
    { field: 'location', op: 'within', values: ['creek'] },
    { location: [marina] },
    false,
  ],
  [
    'within: either the location or the area of interest',
    { field: 'location', op: 'within', values: ['creek'] },
    { location: [marina, creek] },
    true,
  ],
  [
    'in: a location, but not what lies in it',
    { field: 'location', op: 'in', values: ['dubai'] },
    { location: [marina] },
    false,
  ],
  [
    'notIn: a location within a listed one',
    { field: 'location', op: 'notIn', values: ['dubai'] },
    { location: [marina] },
    false,
  ],
  [
    'notIn: a location beside a listed one',
    { field: 'location', op: 'notIn', values: ['creek', 'abu-dhabi'] },
    { location: [marina] },
    true,
  ],
  ['exists: present', { field: 'campaign', op: 'exists' }, { campaign: 'c' }, true],
  ['exists: missing', { field: 'campaign', op: 'exists', values: [true] }, {}, false],
  ['exists false: missing', { field: 'campaign', op: 'exists', values: [false] }, {}, true],
  ['exists: missing, and may be', { field: 'campaign', op: 'exists', onMissing: 'pass' }, {}, true],
  ['exists: a list with nothing in it is missing', { field: 'language', op: 'exists' }, {}, false],
  [
    'exists: one bound is a budget',
    { field: 'budget', op: 'exists' },
    { budget: { min: null, max: 5 } },
    true,
  ],
  [
    'a yes/no field is never missing',
    { field: 'isRepeatLead', op: 'in', values: [false] },
    {},
    true,
  ],
  [
    'a yes/no field that is yes',
    { field: 'isAgentEnquiry', op: 'in', values: [true] },
    { isAgentEnquiry: true },
    true,
  ],
  ['budgets that overlap', between(1, 5), { budget: { min: 4, max: 9 } }, true],
  ['budgets that touch', between(1, 5), { budget: { min: 5, max: 9 } }, true],
  ['budgets that touch from below', between(5, 9), { budget: { min: 1, max: 5 } }, true],
  ['one amount', between(5, 5), { budget: { min: 5, max: null } }, true],
  ['budgets apart', between(1, 5), { budget: { min: 6, max: 9 } }, false],
  ['no upper bound in the rule', between(5, null), { budget: { min: 6, max: 9 } }, true],
  ['no lower bound in the rule', between(null, 5), { budget: { min: 6, max: 9 } }, false],
  [
    'a lone budgetMax is that amount, not everything below it',
    between(null, 5),
    { budget: { min: null, max: 9 } },
    false,
  ],
  [
    'a lone budgetMin is that amount, not everything above it',
    between(50, null),
    { budget: { min: 9, max: null } },
    false,
  ],
  [
    'bounds the wrong way round are still a range',
    between(1, 5),
    { budget: { min: 9, max: 4 } },
    true,
  ],
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
  const source = { field: 'source', op: 'in', values: ['web'] };
  const arabic = { field: 'language', op: 'in', values: ['ar'] };

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
    [
      'between on anything but the budget',
      { when: [[{ field: 'source', op: 'between', values: [1, 2] }]] },
    ],
    [
      'within on anything but a location',
      { when: [[{ field: 'source', op: 'within', values: ['a'] }]] },
    ],
    ['in on the budget', { when: [[{ field: 'budget', op: 'in', values: ['5'] }]] }],
    ['in without values', { when: [[{ field: 'source', op: 'in', values: [] }]] }],
    ['a range without a bound', { when: [[{ ...budget }]] }],
    ['a range upside down', { when: [[between(5, 1)]] }],
    ['an unknown field', { when: [[{ field: 'phone', op: 'in', values: ['1'] }]] }],
    ['an unknown setting', { gate: {} }],
    ['a claim on an unrecognised distribution type', { claims: ['Lottery'] }],
  ])('refuses %s', (_fault, overrides) => {
    expect(() => makeRule(overrides)).toThrow();
  });
});
