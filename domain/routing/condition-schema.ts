import * as z from 'zod';

const valueFields = [
  'source',
  'subSource',
  'funnel',
  'campaign',
  'developer',
  'location',
  'language',
  'leadType',
  'propertyType',
  'currency',
  'listingPurpose',
  'listingMarket',
  'marketSegment',
  'agentCategory',
  'country',
  'client',
  'integrationRef',
  'isRepeatLead',
  'isAgentEnquiry',
  'marketingType',
  'eventType',
] as const;
const allFields = [...valueFields, 'budget'] as const;

/** The fields of one `op`; the message tells an unknown field from one that needs another `op`. */
function fieldAmong<const Name extends (typeof allFields)[number]>(...fields: readonly Name[]) {
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

const valueField = fieldAmong(...valueFields);
const anyField = fieldAmong(...allFields);
const onMissing = z
  .enum(['pass', 'fail'])
  .default('fail')
  .describe('Whether a lead without the field passes.');

const decimal = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number);
const amount = z.union([z.number(), decimal], 'Expected an amount').nullable();

const membership = z.strictObject({
  field: valueField,
  op: z
    .enum(['in', 'notIn'])
    .describe('`in`: one of the values. `notIn`: a value in the field, and none of them.'),
  values: z
    .array(z.union([z.string(), z.boolean()], 'Expected a text, or true or false'))
    .min(1)
    .describe('Names or keys of records, codes or texts.'),
  onMissing,
});

const within = z.strictObject({
  field: fieldAmong('location'),
  op: z.literal('within').describe('One of the places, or a place in one.'),
  values: z.array(z.string()).min(1).describe('The keys of records of `locations`.'),
  onMissing,
});

/** The bounds may be written as `values` or as `min` and `max`; `values` is what is stored. */
const between = z
  .strictObject({
    field: fieldAmong('budget'),
    op: z.literal('between').describe('A budget that shares an amount with these bounds.'),
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

/** Whether the lead has the field at all. */
const exists = z.strictObject({
  field: anyField,
  op: z.literal('exists').describe('Any value in the field, or none.'),
  values: z
    .array(z.boolean())
    .max(1)
    .default([])
    .transform((values) => (values.length > 0 ? values : [true]))
    .describe('`[true]`, as without any: the lead has the field. `[false]`: it does not.'),
  onMissing,
});

export const conditionSchema = z.discriminatedUnion('op', [membership, within, between, exists]);

export type Condition = z.infer<typeof conditionSchema>;
export type ValueField = z.infer<typeof valueField>;
export type ConditionField = z.infer<typeof anyField>;

/** With values that may be texts: names of records in a dataset, their ids in a stored rule. */
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
