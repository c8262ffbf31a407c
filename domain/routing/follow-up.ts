import type { Defaults, FollowUp } from './decision.ts';
import type { Rule } from './rule-schema.ts';

/** A rule without a pool of its own for expired leads uses the one for leads that nobody could take. */
export function followUpOf({ followUp, onExhausted }: Rule, defaults: Defaults): FollowUp {
  return {
    minutes: followUp.minutes ?? defaults.followUpMinutes,
    onExpiry: followUp.onExpiry,
    maxMoves: followUp.maxMoves,
    poolId: followUp.poolId ?? (onExhausted.kind === 'pool' ? onExhausted.poolId : null),
  };
}
