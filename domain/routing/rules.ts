import * as z from 'zod';
import { isDistributionType, normaliseDistributionType } from '../leads/distribution-type.ts';
import { conditionSchema } from './condition.ts';

const targetSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('agent'), agentId: z.string() }),
  z.strictObject({ kind: z.literal('team'), teamId: z.string() }),
  z.strictObject({ kind: z.literal('pool'), poolId: z.string() }),
]);

const requirementSchema = z.enum(['require', 'prefer', 'off']);

const eligibilitySchema = z.strictObject({
  language: requirementSchema
    .default('off')
    .describe('Whether the agent has to speak the lead’s language, or goes first then.'),
  location: requirementSchema
    .default('off')
    .describe('Whether the agent has to work in the lead’s location, or goes first then.'),
  contactOwner: requirementSchema
    .optional()
    .describe(
      'Left out: `off`. Whether only the agent of the customer’s newest earlier lead can take it, or goes first.',
    ),
  availability: z
    .enum(['working_hours', 'ignore'])
    .default('ignore')
    .describe('Whether the agent has to be at work.'),
  caps: z.boolean().default(true).describe('Whether the caps of agents count.'),
});

const leaveSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('next') }),
  z.strictObject({ kind: z.literal('pool'), poolId: z.string() }),
  z.strictObject({ kind: z.literal('unassigned') }),
]);

const onExhaustedSchema = z.discriminatedUnion('kind', [
  ...leaveSchema.options,
  z.strictObject({
    kind: z.literal('wait'),
    atMostMinutes: z.number().positive(),
    then: leaveSchema.default({ kind: 'next' }),
  }),
]);

const followUpSchema = z.strictObject({
  /** Null: as configured. 0: no response deadline. */
  minutes: z.number().min(0).nullable().default(null),
  clock: z
    .enum(['elapsed', 'working'])
    .optional()
    .describe('Left out: `elapsed`. With `working` only the holder’s working time counts.'),
  onExpiry: z
    .enum(['note', 'reassign', 'pool'])
    .default('note')
    .describe(
      'Without a response: only note it, take the next agent, or leave the lead in a pool.',
    ),
  maxMoves: z.int().min(0).default(2).describe('How often `reassign` takes the next agent.'),
  /** Null: the pool of `onExhausted`. */
  poolId: z.string().nullable().default(null),
});

/** "An unrecognised value ... matches no routing rule" (distributionType, 2). */
const claimSchema = z
  .string()
  .transform(normaliseDistributionType)
  .refine(isDistributionType, 'Not a distribution type');

export const ruleSchema = z.strictObject({
  name: z.string().trim().min(1).describe('What decisions and reports call it.'),
  order: z.int().describe('The rule with the lowest one is tried first.'),
  enabled: z.boolean().default(true).describe('A rule that is switched off matches no lead.'),
  claims: z
    .array(claimSchema)
    .default([])
    .describe('Distribution types: a lead that asks for one of them comes here first.'),
  when: z
    .array(z.array(conditionSchema))
    .default([])
    .describe('Alternatives, each a list of conditions that hold together. None: every lead.'),
  target: targetSchema,
  strategy: z
    .enum(['weighted_round_robin', 'least_loaded'])
    .default('weighted_round_robin')
    .describe('Agents take turns, or the one with the fewest open leads is next.'),
  gates: eligibilitySchema.prefault({}).describe('Which agents can take a lead.'),
  onExhausted: onExhaustedSchema.default({ kind: 'next' }),
  followUp: followUpSchema.prefault({}),
});

export type Rule = z.infer<typeof ruleSchema>;
export type Target = Rule['target'];
export type Eligibility = Rule['gates'];
export type OnExhausted = Rule['onExhausted'];
/** For a lead that no agent of a rule takes, once it no longer waits. */
export type Leave = z.infer<typeof leaveSchema>;

export function leaveOf({ onExhausted }: Rule): Leave {
  return onExhausted.kind === 'wait' ? onExhausted.then : onExhausted;
}

export interface Ruleset {
  rules: readonly Rule[];
}
