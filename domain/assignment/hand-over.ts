import type { AssignmentState, AssignmentStatus } from './assignment-cause.ts';

export type HandOverTarget =
  | { kind: 'agent'; agentId: string }
  | { kind: 'pool'; poolId: string }
  | { kind: 'rules' }
  | { kind: 'nobody' };

/** `waiting`: the rules found no agent yet. */
export type HandedTo =
  | { kind: 'agent'; agentId: string }
  | { kind: 'pool'; poolId: string }
  | { kind: 'waiting' | 'nobody' };

export interface HandOver {
  target: HandOverTarget;
  /** Moves only this agent's leads. Null for a single lead. */
  releasedAgentId: string | null;
  /** Moves only leads with an active response deadline. */
  onlyWaiting: boolean;
  movesResponded: boolean;
  movesPersonal: boolean;
  onlyStatuses?: readonly AssignmentStatus[] | null;
  /** `updatedAt` (ISO 8601): moves the lead only if nothing has changed since. */
  onlyAt?: { round: number; move: number; updatedAt?: string | null } | null;
  /** The reverted request. Neither of the two excludes an agent. */
  undoes?: string | null;
  liftsExclusion?: boolean;
}

interface HeldLead extends AssignmentState {
  /** ISO 8601 */
  updatedAt: string;
  ownerId: string | null;
}

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

export interface HolderChange {
  at: string;
  agentId: string | null;
  /** By an operator or the agent's claim, whatever the rules say. */
  isNamed: boolean;
  dueAt: string | null;
  takenFrom: readonly string[];
  liftsAll: boolean;
}

/** Exclusions end when the agent gets the lead by an operator or claim, or another one had it for a follow-up. */
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
