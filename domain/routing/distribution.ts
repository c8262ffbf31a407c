import type { Destination } from './destination.ts';

/** An agent's part of the leads that went to agents. */
export interface Share {
  agentId: string;
  leads: number;
  /** 0 to 1. */
  share: number;
}

/** Largest first. */
export function distributionOf(placed: readonly { place: Destination }[]): Share[] {
  const counts = new Map<string, number>();
  for (const { place } of placed) {
    if (place.kind === 'agent') counts.set(place.agentId, (counts.get(place.agentId) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, leads) => sum + leads, 0);
  return [...counts]
    .map(([agentId, leads]) => ({ agentId, leads, share: leads / total }))
    .toSorted((a, b) => b.leads - a.leads || (a.agentId < b.agentId ? -1 : 1));
}
