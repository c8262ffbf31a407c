import fc from 'fast-check';
import { fields, type Field } from '../../../domain/leads/fields.ts';
import { adPlatformTexts } from '../../../domain/leads/ad-platform.ts';
import { startIntake } from '../../support/api.ts';
import { reference } from '../../support/reference.ts';

const api = await startIntake();
afterAll(() => api.stop());

const RUNS = 300;

/** Names of records, numbers, dates, oddities of Unicode: what makes rules meet each other. */
const known = [
  ...[reference.sources, reference.locations, reference.developers, reference.agents].flatMap(
    (records) => records.map(({ name }) => name),
  ),
  ...reference.listings.map(({ referenceNo }) => referenceNo),
  ...reference.agents.map(({ email }) => email),
  'AED',
  'ar',
  'Personal',
  '1,500,000',
  '03/04/2026',
  '1-2 million AED',
  '2026-09-20T10:00:00Z',
  '0501234567',
  '+971501234567',
  'a@mail.example',
  '\u0000',
  '\ud800',
  '\u202e',
  '🏠',
  '__proto__',
];
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...known) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const long = fc.string({ unit: 'binary', minLength: 100, maxLength: 600 });
const anything = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.double(),
);

function valueOf({ type }: Field): fc.Arbitrary<unknown> {
  const proper =
    type === 'texts'
      ? fc.array(text, { maxLength: 6 })
      : type === 'decimal'
        ? fc.oneof(fc.nat(), fc.constantFrom('1,500,000.50', '0.000001', ' 12 ', '', 1e-9, 0.1))
        : text;
  return fc.oneof(
    { weight: 120, arbitrary: proper },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: long },
  );
}

const answer = fc.record(
  {
    questionKey: anything,
    questionLabel: anything,
    label: anything,
    optionKey: fc.oneof(text, fc.array(text, { maxLength: 3 }), anything),
    optionKeys: fc.array(text, { maxLength: 3 }),
    answerLabel: anything,
    value: anything,
    currency: anything,
  },
  { requiredKeys: [] },
);
const quiz = fc.record(
  {
    quizKey: fc.oneof(fc.constant('finder'), anything),
    locale: anything,
    answers: fc.oneof(fc.array(fc.oneof(answer, anything), { maxLength: 8 }), anything),
  },
  { requiredKeys: [] },
);
const adPlatform = fc.record(
  {
    ...Object.fromEntries(adPlatformTexts.map((name) => [name, text])),
    customFields: fc.oneof(fc.dictionary(text, text, { maxKeys: 3 }), anything),
  },
  { requiredKeys: [] },
);
const comment = fc.record(
  {
    text,
    date: text,
    author: text,
    direction: fc.constantFrom('inbound', 'outbound'),
    externalId: text,
  },
  { requiredKeys: [] },
);
const body = fc
  .tuple(
    fc.record(Object.fromEntries(fields.map((field) => [field.name, valueOf(field)])), {
      requiredKeys: [],
    }),
    fc.record(
      { quiz, adPlatform, comments: fc.array(comment, { maxLength: 7 }) },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.string({ unit: 'binary', maxLength: 10 }), anything, { maxKeys: 3 }),
  )
  .map((parts) => JSON.stringify(Object.assign({}, ...parts)));

async function keptBodies(leadId: string): Promise<string[]> {
  const rows = await api.database.query<{ body: string }>(
    `select body::text as body from submissions where lead_id = $1`,
    [leadId],
  );
  return rows.map((row) => row.body);
}

const exact = fields.filter(({ match, type }) => match === 'exact' && type !== 'dateTime');
const exactValues = (pick: (field: Field) => unknown) =>
  exact.map((field) => [field.name, pick(field)]);

test('whatever the body, a create and an update never fail on our side, and what was sent can be read back', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(body, body, async (first, second) => {
      const made = await api.post(first);
      seen.set(made.status, (seen.get(made.status) ?? 0) + 1);
      expect([201, 400, 422]).toContain(made.status);
      if (made.status !== 201) return;
      if (!made.body.merged) await expectStored(made.body);
      const update = await api.call('PUT', `/public/leads/${made.body.id}`, { body: second });
      expect([200, 422]).toContain(update.status);
      const kept = await keptBodies(made.body.id);
      expect(kept).toContain(first);
      if (update.status === 200) expect(kept).toContain(second);
    }),
    { numRuns: RUNS },
  );
  expect(seen.get(201)).toBeGreaterThan(40);
});

/** The record of a create is what the database holds. */
async function expectStored(lead: Record<string, unknown>): Promise<void> {
  const row = await api.lead(String(lead.id));
  expect(exactValues(({ name }) => lead[name])).toEqual(
    exactValues(({ column }) => row[column as string] ?? null),
  );
  expect(row.intake_unresolved).toEqual(lead.intakeUnresolved);
}
