import * as z from 'zod';
import { ruleSchema } from '../../routing/rule-schema.ts';
import { name } from '../values.ts';

/** A rule as people write it: the stored rule (domain/routing), with names where that has ids. */

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

export type NamedRule = z.output<typeof namedRuleSchema>;
