import fc from 'fast-check';
import { checkDataset, parseDataset } from '../../../app/dataset/checks.ts';
import { createRowReader } from '../../../app/dataset/csv.ts';
import type { SectionName } from '../../../store/dataset/record-ids.ts';
import { sampleDataset } from '../../support/dataset.ts';
import { noRecords } from './no-records.ts';

const recordFromCells = (section: SectionName, cells: Record<string, string>) =>
  createRowReader(section)(cells);

function sound(dataset: unknown) {
  let made = 0;
  const checked = checkDataset(parseDataset({ dataset }), noRecords, () => `id-${(made += 1)}`);
  if (checked.kind === 'invalid') throw new Error(JSON.stringify(checked.issues));
  return checked;
}

const withRule = (field: string, values: unknown[]) => ({
  ...sampleDataset(),
  rules: [
    {
      name: 'R',
      order: 1,
      when: [[{ field, op: 'in', values }]],
      target: { kind: 'pool', name: 'weekend pool' },
    },
  ],
});

test.each<[string, unknown[], string | null, string[]]>([
  ['source', ['website'], 'sources', ['website']],
  ['subSource', ['Property Portal A / Chat'], 'subSources', ['property portal a/chat']],
  ['subSource', ['chat'], 'subSources', ['property portal a/chat', 'website/chat']],
  ['funnel', ['Leasing'], 'funnels', ['leasing']],
  ['campaign', ['MARINA spring'], 'campaigns', ['marina spring']],
  ['developer', ['emaar'], 'developers', ['emaar']],
  ['location', ['dubai'], 'locations', ['dubai']],
  ['propertyType', ['villa'], 'propertyTypes', ['villa']],
  ['marketingType', ['paid'], 'marketingTypes', ['paid']],
  ['eventType', ['submit form'], 'eventTypes', ['submit form']],
  ['leadType', ['Primary'], 'leadTypes', ['primary buyer']],
  ['leadType', ['first hand'], 'leadTypes', ['primary buyer']],
  ['language', ['Khaleeji', 'RU', 'french'], null, ['ar', 'ru', 'fr']],
  ['currency', ['aed'], null, ['AED']],
  ['country', ['United Arab Emirates'], null, ['AE']],
  ['marketSegment', ['luxury'], null, ['Luxury']],
  ['agentCategory', ['a'], null, ['A']],
  ['listingPurpose', ['Sale'], null, ['sale']],
  ['client', ['shop-backend'], null, ['shop-backend']],
  ['integrationRef', ['form 7'], null, ['form 7']],
])('a rule on %s %j holds what the facts of a lead hold', (field, values, kind, expected) => {
  const { rules, ids } = sound(withRule(field, values));
  const wanted =
    kind === null ? expected : expected.map((key) => ids.byKey(kind as never, key)?.id);
  expect(rules?.[0]?.when[0]?.[0]?.values).toEqual(wanted);
});

test('a rule on a flag takes it as a word too', () => {
  const { rules } = sound(withRule('isRepeatLead', ['true', false]));
  expect(rules?.[0]?.when[0]?.[0]?.values).toEqual([true, false]);
});

test('null in a rule is as if omitted, and in the bounds of a budget no bound', () => {
  const rule = { name: 'R', order: 1, target: { kind: 'pool', name: 'Weekend Pool' } };
  const budget = { field: 'budget', op: 'between', values: [null, 5] };
  const omitted = sound({ ...sampleDataset(), rules: [{ ...rule, when: [[budget]] }] });
  const options = ['enabled', 'claims', 'strategy', 'gates', 'onExhausted', 'followUp'];
  const nulls = Object.fromEntries(options.map((option) => [option, null]));
  const gates = { language: null, location: null, availability: null, caps: null };
  const followUp = { minutes: null, onExpiry: null, maxMoves: null, pool: null };
  const when = [[{ ...budget, onMissing: null, min: null, max: null }]];
  for (const given of [{ ...nulls }, { ...nulls, gates, followUp }]) {
    const withNulls = sound({ ...sampleDataset(), rules: [{ ...rule, ...given, when }] });
    expect(withNulls.rules?.[0]).toEqual({
      ...omitted.rules?.[0],
      target: withNulls.rules?.[0]?.target,
    });
  }
  const always = sound({ ...sampleDataset(), rules: [{ ...rule, when: null }] });
  expect(always.rules?.[0]?.when).toEqual([]);
});

test('parents come before their children, in whatever order the file has them', () => {
  const tree = fc
    .integer({ min: 1, max: 60 })
    .chain((size) =>
      fc.tuple(
        fc.tuple(...Array.from({ length: size }, (_, at) => fc.integer({ min: -1, max: at - 1 }))),
        fc.infiniteStream(fc.nat()),
      ),
    );
  fc.assert(
    fc.property(tree, ([parents, random]) => {
      const locations = parents
        .map((parent, at) => ({
          key: `l${at}`,
          name: 'n',
          level: 'x',
          ...(parent >= 0 ? { parent: `l${parent}` } : {}),
        }))
        .map((location) => ({ location, at: random.next().value as number }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ location }) => location);
      const { dataset } = sound({ locations });
      const ordered = dataset.locations ?? [];
      expect(ordered.length).toBe(parents.length);
      const seen = new Set<string>();
      for (const { value } of ordered) {
        if (value.parent !== null) expect(seen.has(value.parent)).toBe(true);
        seen.add(value.key);
      }
    }),
  );
});

test('a CSV row becomes the record that its section wants', () => {
  const cells = { key: 'a', name: 'A', level: 'x', latitude: '25.1', nameAr: '', enabled: 'no' };
  expect(recordFromCells('locations', cells)).toEqual({
    key: 'a',
    name: 'A',
    level: 'x',
    latitude: 25.1,
    enabled: false,
  });
  expect(
    recordFromCells('projects', {
      propertyTypes: 'Villa | Apartment',
      bedrooms: '1|2',
      startingPrice: '10',
    }),
  ).toEqual({ propertyTypes: ['Villa', 'Apartment'], bedrooms: ['1', '2'], startingPrice: '10' });
  expect(recordFromCells('listings', { bedrooms: '2', priceOnApplication: '1' })).toEqual({
    bedrooms: '2',
    priceOnApplication: true,
  });
  expect(
    recordFromCells('agents', {
      workingHours: '{"mon":"9:00-10:00"}',
      dailyCap: '5',
      languages: 'ar',
    }),
  ).toEqual({ workingHours: { mon: '9:00-10:00' }, dailyCap: 5, languages: ['ar'] });
  expect(recordFromCells('teams', { name: 'T', members: '[{"agent":"a@b","weight":2}]' })).toEqual({
    name: 'T',
    members: [{ agent: 'a@b', weight: 2 }],
  });
  expect(recordFromCells('competitorDomains', { domain: 'x.example' })).toBe('x.example');
  expect(recordFromCells('locations', { latitude: 'north' })).toEqual({ latitude: 'north' });
});

test('a rule in a CSV row has its deeper fields as JSON', () => {
  const rule = {
    name: 'R',
    order: 1,
    claims: ['Roadshow distribution'],
    when: [[{ field: 'source', op: 'in', values: ['Website'] }]],
    target: { kind: 'pool', name: 'Weekend Pool' },
    gates: { language: 'require' },
    onExhausted: { kind: 'pool', name: 'Weekend Pool' },
    followUp: { minutes: 5 },
  };
  const cells = Object.entries(rule).map(([field, value]) => [
    field,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  expect(recordFromCells('rules', Object.fromEntries(cells))).toEqual(rule);
});
