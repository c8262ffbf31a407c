import type { Defaults, FollowUp } from './decision.ts';
import type { Rule } from './rule-schema.ts';

export function followUpOf(rule: Rule, defaults: Defaults): FollowUp {
  const { minutes, onExpiry, maxMoves } = rule.followUp;
  return {
    minutes: minutes ?? defaults.followUpMinutes,
    onExpiry,
    maxMoves,
    poolId: expiryPoolId(rule),
  };
}

/** A rule without a pool of its own for expired leads uses the one for leads that nobody could take. */
export function expiryPoolId({ followUp, onExhausted }: Rule): string | null {
  return followUp.poolId ?? (onExhausted.kind === 'pool' ? onExhausted.poolId : null);
}
