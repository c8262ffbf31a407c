import { destinationKey } from './destination.ts';
import type { Destination } from './destination.ts';
import { distributionOf } from './distribution.ts';
import type { Share } from './distribution.ts';

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
    nobody: { before: nobody(pairs, 'from'), after: nobody(pairs, 'to') },
    moves: movesOf(moved),
    sharesBefore: distributionOf(pairs.map(({ from }) => ({ place: from }))),
    sharesAfter: distributionOf(pairs.map(({ to }) => ({ place: to }))),
  };
}

interface Pair {
  from: Destination;
  to: Destination;
}

function nobody(pairs: readonly Pair[], side: keyof Pair): number {
  return pairs.filter((pair) => pair[side].kind === 'nobody').length;
}

function movesOf(moved: readonly Pair[]): Comparison['moves'] {
  const groups = new Map<string, Comparison['moves'][number]>();
  for (const { from, to } of moved) {
    const key = `${destinationKey(from)} > ${destinationKey(to)}`;
    groups.set(key, { from, to, leads: (groups.get(key)?.leads ?? 0) + 1 });
  }
  return [...groups.values()].toSorted((a, b) => b.leads - a.leads);
}
