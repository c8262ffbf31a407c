import type { Defaults, FollowUp } from '../routing/follow-up.ts';
import type { Rule } from '../routing/rule-schema.ts';

/**
 * Whether the response clock starts with an assignment. `Personal distribution` runs no follow-up clock
 * (distributionType, 4), and a lead with a recorded response needs none.
 */
export function startsFollowUp(
  { isPersonal, isResponded }: { isPersonal: boolean; isResponded: boolean },
  followUpMs: number,
): boolean {
  return !isPersonal && !isResponded && followUpMs > 0;
}

/** The minutes of the rule that left the lead in its pool. Nobody is tried after the agent who claimed it. */
export function followUpAfterClaim(rule: Rule | null, { followUpMinutes }: Defaults): FollowUp {
  const minutes = rule?.followUp.minutes ?? followUpMinutes;
  return { minutes, onExpiry: 'note', maxMoves: 0, poolId: null };
}
