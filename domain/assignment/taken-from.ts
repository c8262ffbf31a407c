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
