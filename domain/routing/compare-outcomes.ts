import { destinationKey } from './decision.ts';
import type { Destination } from './decision.ts';

export interface Outcome {
  leadId: string;
  place: Destination;
}

/** "37 of 1,204 would go elsewhere; 6 would find nobody". */
export interface Comparison {
  total: number;
  elsewhere: number;
  nobody: { before: number; after: number };
  /** Every move between two places, most frequent first; leads that stay are not in it. */
  moves: { from: Destination; to: Destination; leads: number }[];
  sharesBefore: Share[];
  sharesAfter: Share[];
}

/** Compares the leads that both sides know. */
export function compareOutcomes(before: readonly Outcome[], after: readonly Outcome[]): Comparison {
  const placesAfter = new Map(after.map(({ leadId, place }) => [leadId, place]));
  const pairs = before.flatMap(({ leadId, place: from }) => {
    const to = placesAfter.get(leadId);
    return to ? [{ from, to }] : [];
  });
  const moved = pairs.filter(({ from, to }) => destinationKey(from) !== destinationKey(to));
  return {
    total: pairs.length,
    elsewhere: moved.length,
    nobody: { before: countNobody(pairs, 'from'), after: countNobody(pairs, 'to') },
    moves: countMoves(moved),
    sharesBefore: distributionOf(pairs.map(({ from }) => ({ place: from }))),
    sharesAfter: distributionOf(pairs.map(({ to }) => ({ place: to }))),
  };
}

interface Pair {
  from: Destination;
  to: Destination;
}

function countNobody(pairs: readonly Pair[], side: keyof Pair): number {
  return pairs.filter((pair) => pair[side].kind === 'nobody').length;
}

function countMoves(moved: readonly Pair[]): Comparison['moves'] {
  const groups = new Map<string, Comparison['moves'][number]>();
  for (const { from, to } of moved) {
    const key = `${destinationKey(from)} > ${destinationKey(to)}`;
    groups.set(key, { from, to, leads: (groups.get(key)?.leads ?? 0) + 1 });
  }
  return [...groups.values()].toSorted((a, b) => b.leads - a.leads);
}

/** An agent's share of the leads that went to agents. */
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
