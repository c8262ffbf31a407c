import * as z from 'zod';
import { ruleSchema } from '../../routing/rule-schema.ts';
import { name } from './values.ts';

/** A rule as people write it: the stored rule (domain/routing) with names in place of ids. */

const onExhausted = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('next') }),
  z.strictObject({ kind: z.literal('pool'), name }),
  z.strictObject({ kind: z.literal('unassigned') }),
]);

const followUp = z.strictObject({
  minutes: z.number().min(0).nullish(),
  onExpiry: z.enum(['note', 'reassign', 'pool']).optional(),
  maxMoves: z.int().min(0).optional(),
  /** Where `onExpiry: pool` leaves the lead; else the pool of `onExhausted`. */
  pool: name.nullish(),
});

export const namedRuleSchema = ruleSchema.extend({
  target: z.strictObject({ kind: z.enum(['agent', 'team', 'pool']), name }),
  onExhausted: onExhausted.default({ kind: 'next' }),
  followUp: followUp.prefault({}),
});

/** Null is as if omitted, at any depth; within a list, such as the bounds of a budget, it is a value. */
export const ruleRecordSchema = z.preprocess(withoutNulls, namedRuleSchema);

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(given.map(([key, each]) => [key, withoutNulls(each)]));
}

export type NamedRule = z.output<typeof namedRuleSchema>;
