import type { Explanation } from './explanation.ts';
import type { FollowUpRule } from './rule-schema.ts';

/** What configuration supplies where a rule is silent. */
export interface Defaults {
  followUpMinutes: number;
}

const MINUTE_MS = 60_000;

export function routingDefaults({ followUpMs }: { followUpMs: number }): Defaults {
  return { followUpMinutes: followUpMs / MINUTE_MS };
}

export interface FollowUp {
  /** 0: no clock. */
  minutes: number;
  onExpiry: FollowUpRule['onExpiry'];
  maxMoves: number;
  /** Where `onExpiry: pool` leaves the lead; null: the rule knows none. */
  poolId: string | null;
}

/** The credit to store for a member; null takes them out of the rotation until they are back. */
export interface CreditChange {
  teamId: string;
  agentId: string;
  credit: number | null;
}

export interface Assigned {
  kind: 'assigned';
  agentId: string;
  ruleName: string;
  followUp: FollowUp;
  rotation: CreditChange[];
  explanation: Explanation;
}

export type Decision =
  | Assigned
  | { kind: 'pool'; poolId: string; ruleName: string; explanation: Explanation }
  /** `ruleName` is the rule that said so; null when no rule was left to try. */
  | { kind: 'unassigned'; ruleName: string | null; explanation: Explanation };

/** The follow-up's move: to the next eligible agent of the same rule, or nowhere. */
export type Reassignment = Assigned | { kind: 'none'; ruleName: string; explanation: Explanation };
