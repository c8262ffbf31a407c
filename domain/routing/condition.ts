import * as z from 'zod';
import { assertNever } from '../assert-never.ts';
import { lookupKey } from '../catalogue/lookups/lookup-list.ts';

/** Without the field, not even `notIn` holds, unless the rule says `pass`. */
export function holds(condition: Condition, facts: LeadFacts): boolean {
  const isPresent = factFound(condition.field, facts).length > 0;
  if (!isPresent && condition.onMissing === 'pass') return true;
  if (condition.op === 'exists') return condition.values.includes(isPresent);
  return isPresent && matches(condition, facts);
}

export function factFound(field: ConditionField, facts: LeadFacts): readonly FactValue[] {
  if (field !== 'budget') return valuesOf(field, facts);
  const { min, max } = facts.budget;
  return min === null && max === null ? [] : [min, max];
}

function matches(condition: Exclude<Condition, { op: 'exists' }>, facts: LeadFacts): boolean {
  switch (condition.op) {
    case 'in':
      return isAnyIn(condition.values, valuesOf(condition.field, facts));
    case 'notIn':
      return !isAnyIn(condition.values, valuesWithin(condition.field, facts));
    case 'within':
      return isAnyIn(condition.values, valuesWithin('location', facts));
    case 'between':
      return budgetInRange(facts.budget, condition.values);
    default:
      return assertNever(condition);
  }
}

function valuesOf(field: ValueField, facts: LeadFacts): readonly (string | boolean)[] {
  if (field === 'location') return facts.location.map(({ id }) => id);
  // Stored facts may be older than the field.
  const value: LeadFacts[typeof field] | undefined = facts[field];
  return value === null || value === undefined ? [] : [value].flat();
}

function valuesWithin(field: ValueField, facts: LeadFacts): readonly (string | boolean)[] {
  if (field !== 'location') return valuesOf(field, facts);
  return facts.location.flatMap(({ id, ancestorIds }) => [id, ...ancestorIds]);
}

/** Lookup keys by values of conditions, which never change. */
const KEYS = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function isAnyIn(wanted: readonly (string | boolean)[], found: readonly (string | boolean)[]) {
  const keys = KEYS.get(wanted) ?? new Set(wanted.map((value) => lookupKey(String(value))));
  KEYS.set(wanted, keys);
  return found.some((value) => keys.has(lookupKey(String(value))));
}

/** Both ends count. A lead with one bound counts as this amount, or "2 million" would match a rule up to 500,000. */
function budgetInRange(
  { min, max }: BudgetRange,
  [from, to]: readonly [number | null, number | null],
): boolean {
  const one = min ?? max;
  const other = max ?? min;
  if (one === null || other === null) return false;
  const lowest = Math.min(one, other);
  const highest = Math.max(one, other);
  return (from === null || highest >= from) && (to === null || lowest <= to);
}

/** With all that contain it, so that a subtree is one lookup. */
export interface LeadLocation {
  id: string;
  ancestorIds: readonly string[];
}

export interface BudgetRange {
  min: number | null;
  max: number | null;
}

export interface FactOf {
  text: string | null;
  list: readonly string[];
  flag: boolean;
  /** The lead's own location and its area of interest; either may match. */
  places: readonly LeadLocation[];
  range: BudgetRange;
}

export const FIELD_KINDS = {
  source: 'text',
  subSource: 'list',
  funnel: 'text',
  campaign: 'text',
  developer: 'text',
  location: 'places',
  language: 'list',
  leadType: 'text',
  propertyType: 'text',
  currency: 'text',
  listingPurpose: 'text',
  listingMarket: 'text',
  marketSegment: 'text',
  agentCategory: 'text',
  country: 'text',
  client: 'text',
  integrationRef: 'text',
  isRepeatLead: 'flag',
  isAgentEnquiry: 'flag',
  marketingType: 'text',
  eventType: 'text',
  budget: 'range',
} as const satisfies Record<string, keyof FactOf>;

export type ConditionField = keyof typeof FIELD_KINDS;
type ValueField = Exclude<ConditionField, 'budget'>;
type Facts = { [Field in ConditionField]: FactOf[(typeof FIELD_KINDS)[Field]] };

/** Stored permanently with the decision, so that no phone, email or name of a person may be in it. */
export interface LeadFacts extends Facts {
  distributionType: string | null;
  /** Earlier owners of this round: the follow-up never moves the lead back to them. */
  excludedAgentIds: readonly string[];
  /** Agents from whom operators took the lead, as long as that excludes them. */
  takenFromAgentIds?: readonly string[];
  /** The last owner of the contact's newest earlier lead that had one. */
  contactOwnerId?: string;
  /** Waits since an agent last owned the lead or an operator last moved it. */
  waits?: readonly RuleWait[];
}

export interface RuleWait {
  ruleName: string;
  /** ISO 8601 */
  endsAt: string;
}

const allFields = Object.keys(FIELD_KINDS) as ConditionField[];

/** The message distinguishes an unknown field from one that needs another `op`. */
function fieldAmong<const Name extends ConditionField>(...fields: readonly Name[]) {
  const known: readonly unknown[] = allFields;
  const field = z.enum(fields, {
    error: ({ input }) => {
      if (input === undefined) return 'is missing';
      if (!known.includes(input)) return `Expected one of ${allFields.join(', ')}`;
      return `"${String(input)}" does not go with this "op"`;
    },
  });
  return field.describe('A field of the lead.');
}

const isValueField = (field: ConditionField): field is ValueField => field !== 'budget';
const onMissing = z
  .enum(['pass', 'fail'])
  .default('fail')
  .describe('Whether the condition holds for a lead without the field.');

const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number);
const amount = z.union([z.number(), decimal], 'Expected an amount').nullable();

const membership = z.strictObject({
  field: fieldAmong(...allFields.filter(isValueField)),
  op: z
    .enum(['in', 'notIn'])
    .describe('`in`: one of the values. `notIn`: a value that is not one of them or within one.'),
  values: z
    .array(z.union([z.string(), z.boolean()], 'Expected a text, or true or false'))
    .min(1)
    .describe('Names or keys of records, codes or texts.'),
  onMissing,
});

const within = z.strictObject({
  field: fieldAmong('location'),
  op: z.literal('within').describe('One of the places, or a place within one.'),
  values: z.array(z.string()).min(1).describe('The keys of records of `locations`.'),
  onMissing,
});

/** Accepts `min` and `max`; stores `values`. */
const between = z
  .strictObject({
    field: fieldAmong('budget'),
    op: z.literal('between').describe('A budget that overlaps these bounds.'),
    values: z
      .tuple([amount, amount])
      .optional()
      .describe('The bounds, both included; `null` is no bound.'),
    min: amount.optional().describe('The lower bound, in place of `values`.'),
    max: amount.optional().describe('The upper bound, in place of `values`.'),
    onMissing,
  })
  .transform(({ values, min, max, ...rest }) => ({
    ...rest,
    values: values ?? ([min ?? null, max ?? null] as [number | null, number | null]),
  }))
  .refine(({ values: [min, max] }) => min !== null || max !== null, 'Expected at least one bound')
  .refine(
    ({ values: [min, max] }) => min === null || max === null || min <= max,
    'The lower bound is above the upper one',
  );

const exists = z.strictObject({
  field: fieldAmong(...allFields),
  op: z.literal('exists').describe('Any value in the field, or none.'),
  values: z
    .array(z.boolean())
    .max(1)
    .default([])
    .transform((values) => (values.length > 0 ? values : [true]))
    .describe('`[true]` (the default): the lead has the field. `[false]`: it does not.'),
  onMissing,
});

export const conditionSchema = z.discriminatedUnion('op', [membership, within, between, exists]);

export type Condition = z.infer<typeof conditionSchema>;

type NamingCondition<Each = Condition> = Each extends { values: (infer Value)[] }
  ? string extends Value
    ? Each
    : never
  : never;

const NAMES_RECORDS: {
  readonly [Op in Condition['op']]: Op extends NamingCondition['op'] ? true : false;
} = { in: true, notIn: true, within: true, between: false, exists: false };

export function namesRecords(condition: Condition): condition is NamingCondition {
  return NAMES_RECORDS[condition.op];
}

export type FactValue = string | number | boolean | null;

export interface FailedCondition {
  field: ConditionField;
  op: Condition['op'];
  wanted: readonly FactValue[];
  found: readonly FactValue[];
}
