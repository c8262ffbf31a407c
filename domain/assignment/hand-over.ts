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

/** A change of a lead's holder, as far as it says from whom operators took the lead; in order of rounds and times. */
export interface HolderChange {
  at: string;
  agentId: string | null;
  /** By an operator or by the agent's own claim, whatever the rules say. */
  isNamed: boolean;
  /** When the response clock that it started is due; null: it started none. */
  dueAt: string | null;
  /** Who held the lead when an operator moved it. */
  takenFrom: readonly string[];
  /** By the operator's word nobody is excluded any longer. */
  liftsAll: boolean;
}

/**
 * Whom the rules do not give the lead: each from whom an operator took it, until an operator gives it to them or lifts it, they claim it,
 * or somebody else has held it for the length of a follow-up (`followUpMs` where no clock ran).
 */
export function findTakenFrom(
  changes: readonly HolderChange[],
  { now, followUpMs }: { now: Date; followUpMs: number },
): string[] {
  const taken = new Set<string>();
  for (const [index, change] of changes.entries()) {
    if (change.liftsAll) taken.clear();
    for (const agentId of change.takenFrom) taken.add(agentId);
    if (change.agentId === null) continue;
    if (change.isNamed) taken.delete(change.agentId);
    const untilMs = Date.parse(changes[index + 1]?.at ?? now.toISOString());
    const lengthMs = change.dueAt ? Date.parse(change.dueAt) : Date.parse(change.at) + followUpMs;
    if (untilMs >= lengthMs)
      for (const agentId of taken) if (agentId !== change.agentId) taken.delete(agentId);
  }
  return [...taken].toSorted();
}
