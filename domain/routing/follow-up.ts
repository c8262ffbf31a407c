import type { FollowUpRule, Rule } from './rule-schema.ts';

const MINUTE_MS = 60_000;

/** What configuration supplies where a rule has none. */
export interface Defaults {
  followUpMinutes: number;
}

export function routingDefaults({ followUpMs }: { followUpMs: number }): Defaults {
  return { followUpMinutes: followUpMs / MINUTE_MS };
}

/** The terms of an assignment's follow-up. */
export interface FollowUp extends Pick<FollowUpRule, 'onExpiry' | 'maxMoves'> {
  /** 0: no clock. */
  minutes: number;
  /** Where `onExpiry: pool` leaves the lead; null: the rule names none. */
  poolId: string | null;
}

export function followUpOf(rule: Rule, { followUpMinutes }: Defaults): FollowUp {
  const minutes = rule.followUp.minutes ?? followUpMinutes;
  return { ...rule.followUp, minutes, poolId: expiryPoolId(rule) };
}

export function followUpMsOf({ minutes }: FollowUp): number {
  return minutes * MINUTE_MS;
}

/** A rule without a pool of its own for expired leads uses the one for leads that nobody could take. */
export function expiryPoolId({ followUp, onExhausted }: Rule): string | null {
  return followUp.poolId ?? (onExhausted.kind === 'pool' ? onExhausted.poolId : null);
}
