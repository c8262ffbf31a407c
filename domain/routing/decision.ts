import type { Explanation } from './explanation.ts';
import type { FollowUp } from './follow-up.ts';

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
  /** 0: no clock. */
  followUpMs: number;
  rotation: CreditChange[];
  explanation: Explanation;
}

export type Decision =
  | Assigned
  | { kind: 'pool'; poolId: string; ruleName: string; explanation: Explanation }
  /** Until somebody of the rule can take it, and no longer than `endsAt`; `dueAt` is the first such moment. */
  | { kind: 'waiting'; ruleName: string; dueAt: Date; endsAt: Date; explanation: Explanation }
  /** `ruleName` is the rule that decided it; null when no rule was left to try. */
  | { kind: 'unassigned'; ruleName: string | null; explanation: Explanation };

/** The follow-up's move: to the next eligible agent of the same rule, or nowhere. */
export type Reassignment = Assigned | { kind: 'none'; ruleName: string; explanation: Explanation };

/** Where a lead ends up. */
export type Destination =
  | { kind: 'agent'; agentId: string }
  | { kind: 'pool'; poolId: string }
  | { kind: 'waiting'; minutes: number }
  | { kind: 'nobody' };

export function destinationOf(decision: Decision, decidedAt: Date): Destination {
  if (decision.kind === 'assigned') return { kind: 'agent', agentId: decision.agentId };
  if (decision.kind === 'pool') return { kind: 'pool', poolId: decision.poolId };
  if (decision.kind === 'waiting') {
    const waitMs = decision.dueAt.getTime() - decidedAt.getTime();
    return { kind: 'waiting', minutes: Math.round(waitMs / 60_000) };
  }
  return { kind: 'nobody' };
}

export function destinationKey(destination: Destination): string {
  if (destination.kind === 'agent') return `agent ${destination.agentId}`;
  return destination.kind === 'pool' ? `pool ${destination.poolId}` : destination.kind;
}
