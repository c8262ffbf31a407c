import type { Load } from './explanation.ts';
import { counted, type RosterAgent } from './roster.ts';

/**
 * The agent with the fewest open leads; then with the fewest of today; then the one who has waited
 * longest. The order of `eligible` breaks remaining ties.
 */
export function leastLoaded(
  eligible: readonly RosterAgent[],
): { chosen: string; loads: Load[] } | null {
  const loads = eligible.map(({ id, openLeads, assignedToday, lastAssignedAt }) => ({
    agentId: id,
    openLeads: counted(openLeads),
    assignedToday: counted(assignedToday),
    lastAssignedAt,
  }));
  const [lightest] = loads.toSorted(byLoad);
  return lightest ? { chosen: lightest.agentId, loads } : null;
}

function byLoad(a: Load, b: Load): number {
  return a.openLeads - b.openLeads || a.assignedToday - b.assignedToday || instant(a) - instant(b);
}

/** One who never had a lead has waited longest. */
function instant({ lastAssignedAt }: Load): number {
  return Date.parse(lastAssignedAt ?? '') || 0;
}
