import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { generateDocs } from '../../../dev/dataset-docs.ts';
import {
  datasetJsonSchema,
  propertiesOf,
  recordJsonSchema,
  type JsonSchema,
} from '../../../app/dataset/json-schema.ts';
import { sectionNames } from '../../../store/dataset/record-ids.ts';
import { sampleDataset } from '../../support/dataset.ts';
import { imported, openDatabase } from './open.ts';

const read = (file: string) =>
  readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
const page = read('dataset.md');
const example = JSON.parse(read('dataset.example.json')) as Record<string, unknown[]>;

const isValid = new Ajv({ strict: false, validateFormats: false }).compile(datasetJsonSchema());

const open = await openDatabase();
afterAll(() => open.close());

test.each([...(await generateDocs())])(
  'docs/%s is what npm run dataset-docs writes',
  (file, text) => expect(read(file)).toBe(text),
);

test('docs/dataset.md says what each field means', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((line) => /\|\s*\|$/.test(line))).toEqual([]);
});

/** The names of the fields of a schema, at any depth. */
function fieldsIn(schema: JsonSchema): string[] {
  const inner = [schema.oneOf, schema.anyOf, schema.items]
    .flat()
    .filter((each) => each !== undefined);
  const own = Object.entries(propertiesOf(schema) ?? {});
  return [
    ...own.flatMap(([name, field]) => [name, ...fieldsIn(field)]),
    ...inner.flatMap((each) => fieldsIn(each)),
  ];
}

test.each(sectionNames)('docs/dataset.example.json has every field of %s', (section) => {
  const text = JSON.stringify(example[section]);
  const fields = fieldsIn(recordJsonSchema(section)).filter((field) => field !== 'id');
  expect(fields.filter((field) => !text.includes(`"${field}":`))).toEqual([]);
});

describe('the examples', () => {
  const blocks = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => json);

  test('of the page are imported, each after those below its heading', async () => {
    const [update, editor, ...ofSections] = blocks.map((json) => JSON.parse(json) as object);
    expect(ofSections).toHaveLength(sectionNames.length);
    for (const dataset of [...ofSections, update, editor]) {
      expect(isValid(dataset)).toBe(true);
      const counts = Object.values(await imported(open.database, dataset));
      expect(counts[0]?.unchanged).toBe(0);
    }
    const [sara] = await open.database.query(
      `select daily_cap, open_cap from agents where email = 'sara@agency.example'`,
    );
    expect(sara).toEqual({ daily_cap: 12, open_cap: 25 });
  });

  test('are imported from the file too', async () => {
    const counts = await imported(open.database, example);
    expect(Object.keys(counts).toSorted()).toEqual(sectionNames.toSorted());
  });
});

describe('the JSON Schema', () => {
  test.each([
    ['the example', example],
    ['a dataset with every section', sampleDataset()],
    ['one field of a record that exists', { agents: [{ email: 'a@b.example', dailyCap: null }] }],
    ['null in a rule', { rules: [{ name: 'R', gates: { caps: null }, followUp: null }] }],
  ])('accepts %s', (_what, dataset) => {
    isValid(dataset);
    expect(isValid.errors).toBeNull();
  });

  test.each<[string, unknown]>([
    ['an unknown section', { agent: [] }],
    ['an unknown field', { agents: [{ email: 'a@b.example', mail: 'x' }] }],
    ['a record without its key', { agents: [{ name: 'A' }] }],
    ['another type', { agents: [{ email: 'a@b.example', dailyCap: 'ten' }] }],
    ['an unknown value', { listings: [{ referenceNo: '1', purpose: 'swap' }] }],
    [
      'a condition that no op has',
      { rules: [{ name: 'R', when: [[{ field: 'budget', op: 'in' }]] }] },
    ],
  ])('refuses %s', (_what, dataset) => {
    expect(isValid(dataset)).toBe(false);
  });
});
