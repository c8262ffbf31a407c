import type { AssignmentState, AssignmentStatus } from './assignment-event.ts';

export type HandOverTarget =
  | { kind: 'agent'; agentId: string }
  | { kind: 'pool'; poolId: string }
  | { kind: 'rules' }
  /** Unassigned again, where a hand-over is taken back. */
  | { kind: 'nobody' };

/** Where a lead went; `waiting`: the rules have nobody for it yet. */
export type HandedTo =
  | { kind: 'agent'; agentId: string }
  | { kind: 'pool'; poolId: string }
  | { kind: 'waiting' | 'nobody' };

/** What an operator asked for. */
export interface HandOver {
  target: HandOverTarget;
  /** Of a release: only what this agent holds. Null: a single lead, whoever holds it. */
  releasedAgentId: string | null;
  /** Only leads whose response clock runs. */
  onlyWaiting: boolean;
  /** Of a release: also leads with a recorded response. A single lead moves with one as well. */
  movesResponded: boolean;
  /** Also a lead of `Personal distribution`. */
  movesPersonal: boolean;
  /** Of many leads: only those that are still in one of these states. */
  onlyStatuses?: readonly AssignmentStatus[] | null;
  /**
   * Only while nothing has moved the lead since, nor, unless `movesResponded`, an agent responded. With the time of
   * its last change (ISO 8601): only while nothing at all has changed.
   */
  onlyAt?: { round: number; move: number; updatedAt?: string | null } | null;
  /** The request that this one takes back: neither then takes the lead from anybody. */
  undoes?: string | null;
  /** Nobody whom operators took the lead from is excluded any longer. */
  liftsExclusion?: boolean;
}

interface HeldLead extends AssignmentState {
  /** ISO 8601. */
  updatedAt: string;
  ownerId: string | null;
  poolId: string | null;
}

/** Why a lead stays where it is; null where it is handed over. */
export function refuseHandOver(handOver: HandOver, lead: HeldLead) {
  return (
    refuseRelease(handOver, lead) ?? refuseChanged(handOver, lead) ?? refuseTarget(handOver, lead)
  );
}

function refuseRelease({ releasedAgentId, onlyWaiting, movesResponded }: HandOver, lead: HeldLead) {
  if (releasedAgentId === null) return null;
  if (lead.ownerId !== releasedAgentId) return 'not_held';
  if (lead.isResponded && !movesResponded) return 'responded';
  return onlyWaiting && !lead.isClockRunning ? 'no_clock' : null;
}

function refuseChanged({ onlyStatuses, onlyAt, movesResponded }: HandOver, lead: HeldLead) {
  if (onlyStatuses && !onlyStatuses.some((status) => status === lead.status)) return 'changed';
  if (!onlyAt) return null;
  const { round, move, updatedAt = null } = onlyAt;
  if (round !== lead.round || move !== lead.moves) return 'changed';
  if (lead.isResponded && !movesResponded) return 'responded';
  return updatedAt !== null && Date.parse(updatedAt) !== Date.parse(lead.updatedAt)
    ? 'changed'
    : null;
}

function refuseTarget({ target, movesPersonal }: HandOver, lead: HeldLead) {
  if (target.kind === 'agent' && target.agentId === lead.ownerId) return 'there_already';
  if (target.kind === 'pool' && target.poolId === lead.poolId) return 'there_already';
  return lead.isPersonal && !(target.kind === 'agent' && movesPersonal) ? 'personal' : null;
}
