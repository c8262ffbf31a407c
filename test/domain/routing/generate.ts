import fc from 'fast-check';
import * as z from 'zod';
import { assertNever } from '../../../domain/assert-never.ts';
import {
  conditionSchema,
  type Condition,
  type ConditionField,
  type LeadFacts,
  type LeadLocation,
} from '../../../domain/routing/condition.ts';

/** Conditions and leads of few values, so that they often meet: every operator and field of the schema is among them. */

export const PLACES: readonly LeadLocation[] = [
  { id: 'uae', ancestorIds: [] },
  { id: 'dubai', ancestorIds: ['uae'] },
  { id: 'marina', ancestorIds: ['uae', 'dubai'] },
  { id: 'creek', ancestorIds: ['uae', 'dubai'] },
  { id: 'sharjah', ancestorIds: ['uae'] },
];
export const PLACE_IDS = PLACES.map(({ id }) => id);
export const LANGUAGES = ['ar', 'en', 'ru'];
const WORDS = ['web', 'call', 'portal'];
/** The last one begins and ends with others: an operator may compare a part of a text. */
const FOUND = [...WORDS, 'other', 'web portal'];
const PURPOSES = ['sale', 'rent'];
const MARKETS = ['primary', 'secondary'];
const FLAGS = [true, false];

/** What conditions may name of each field. */
const VALUES: Readonly<Record<ConditionField, readonly (string | boolean)[]>> = {
  source: WORDS,
  subSource: WORDS,
  funnel: WORDS,
  campaign: WORDS,
  developer: WORDS,
  location: PLACE_IDS,
  language: LANGUAGES,
  leadType: WORDS,
  propertyType: WORDS,
  currency: WORDS,
  listingPurpose: PURPOSES,
  listingMarket: MARKETS,
  marketSegment: WORDS,
  agentCategory: WORDS,
  country: WORDS,
  client: WORDS,
  integrationRef: WORDS,
  isRepeatLead: FLAGS,
  isAgentEnquiry: FLAGS,
  marketingType: WORDS,
  eventType: WORDS,
  budget: [],
};

const word = fc.option(fc.constantFrom(...FOUND));
const amount = fc.option(fc.integer({ min: 0, max: 20 }).map((half) => half / 2));

export const FACTS: { readonly [Field in ConditionField]: fc.Arbitrary<LeadFacts[Field]> } = {
  source: word,
  subSource: fc.subarray(FOUND),
  funnel: word,
  campaign: word,
  developer: word,
  location: fc.subarray([...PLACES, { id: 'paris', ancestorIds: [] }], { maxLength: 2 }),
  language: fc.subarray([...LANGUAGES, 'fr']),
  leadType: word,
  propertyType: word,
  currency: word,
  listingPurpose: fc.option(fc.constantFrom(...PURPOSES)),
  listingMarket: fc.option(fc.constantFrom(...MARKETS)),
  marketSegment: word,
  agentCategory: word,
  country: word,
  client: word,
  integrationRef: word,
  isRepeatLead: fc.boolean(),
  isAgentEnquiry: fc.boolean(),
  marketingType: word,
  eventType: word,
  budget: fc.record({ min: amount, max: amount }),
};

/** The operators of each option of the schema, with the fields that they take. */
export const OPERATORS = conditionSchema.options.flatMap((option) => {
  const { op, field } = option instanceof z.ZodObject ? option.shape : option.in.shape;
  const ops: Condition['op'][] = op instanceof z.ZodLiteral ? [...op.values] : op.options;
  const fields: readonly ConditionField[] = field.options;
  return ops.map((each) => ({ op: each, fields }));
});

function valuesFor(op: Condition['op'], field: ConditionField): fc.Arbitrary<readonly unknown[]> {
  switch (op) {
    case 'in':
    case 'notIn':
    case 'within':
      return fc.subarray([...VALUES[field]], { minLength: 1 });
    case 'between':
      return bounds;
    case 'exists':
      return fc.constantFrom([true], [false]);
    default:
      return assertNever(op);
  }
}

const bounds = fc
  .tuple(fc.option(fc.nat({ max: 6 })), fc.option(fc.nat({ max: 3 })), fc.boolean())
  .map(([from, more, isOpen]) => {
    if (from === null) return [null, more ?? 4];
    return [from, isOpen ? null : from + (more ?? 1)];
  });

type Fields = readonly ConditionField[];

/** A few fields: conditions on the same ones depend on each other. */
export const someFields: fc.Arbitrary<Fields> = fc
  .uniqueArray(fc.constantFrom(...(Object.keys(FACTS) as ConditionField[])), {
    minLength: 1,
    maxLength: 3,
  })
  .map((fields) => fields.toSorted());

/** Conditions on these fields, as a dataset writes them. */
export function conditionsOn(fields: Fields) {
  return fc.oneof(
    ...fields.flatMap((field) =>
      OPERATORS.filter((each) => each.fields.includes(field)).map(({ op }) =>
        fc.record({
          field: fc.constant(field),
          op: fc.constant(op),
          values: valuesFor(op, field),
          onMissing: fc.constantFrom('pass', 'fail'),
        }),
      ),
    ),
  );
}

/** Facts in which these fields vary. */
export function factsOn(fields: Fields): fc.Arbitrary<object> {
  return fc.record(Object.fromEntries(fields.map((field) => [field, FACTS[field]])));
}
