import type { AssignmentState, AssignmentStatus } from './assignment-event.ts';

export type HandOverTarget =
  | { kind: 'agent'; agentId: string }
  | { kind: 'pool'; poolId: string }
  | { kind: 'rules' }
  /** Unassigned again, where a hand-over is taken back. */
  | { kind: 'nobody' };

/** The destination of a lead. `waiting`: the rules have nobody for it yet. */
export type HandedTo =
  | { kind: 'agent'; agentId: string }
  | { kind: 'pool'; poolId: string }
  | { kind: 'waiting' | 'nobody' };

/** What an operator asked for. */
export interface HandOver {
  target: HandOverTarget;
  /** A release moves only what this agent holds. Null: a single lead, whoever holds it. */
  releasedAgentId: string | null;
  /** Moves only leads whose response clock runs. */
  onlyWaiting: boolean;
  /** Whether a release moves leads with a recorded response too. A single lead moves with one as well. */
  movesResponded: boolean;
  /** Whether a lead with `Personal distribution` moves too. */
  movesPersonal: boolean;
  /** Moves only leads that are still in one of these states. */
  onlyStatuses?: readonly AssignmentStatus[] | null;
  /**
   * Moves the lead only while it is in this round and move and, unless `movesResponded`, no agent has responded.
   * `updatedAt` (ISO 8601) is the time of its last change: the lead moves only while nothing at all has changed.
   */
  onlyAt?: { round: number; move: number; updatedAt?: string | null } | null;
  /** The request that this one takes back: neither of the two excludes an agent. */
  undoes?: string | null;
  /** Whether the agents from whom operators took the lead may get it again. */
  liftsExclusion?: boolean;
}

interface HeldLead extends AssignmentState {
  /** ISO 8601. */
  updatedAt: string;
  ownerId: string | null;
}

/** Returns why a lead stays where it is; null where it is handed over. */
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

/** A change of a lead's holder, with from whom an operator took the lead. */
export interface HolderChange {
  at: string;
  agentId: string | null;
  /** Whether an operator or the agent's own claim named the holder, whatever the rules say. */
  isNamed: boolean;
  /** When the response clock that it started is due; null: it started none. */
  dueAt: string | null;
  /** Who held the lead when an operator moved it. */
  takenFrom: readonly string[];
  /** Whether the operator lifts all exclusions. */
  liftsAll: boolean;
}

/**
 * Lists the agents to whom the rules may not give the lead: those from whom an operator took it. The exclusion ends when an
 * operator gives the lead to the agent or lifts the exclusion, when the agent claims the lead, or when somebody else has
 * held it for the length of a follow-up (`followUpMs` where no clock ran). `changes` is in order of rounds and times.
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
