import { destinationKey, type Destination } from './decision.ts';

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
  const groups = Map.groupBy(
    moved,
    (each) => `${destinationKey(each.from)} > ${destinationKey(each.to)}`,
  );
  return [...groups.values()]
    .flatMap(([first, ...others]) => (first ? [{ ...first, leads: 1 + others.length }] : []))
    .toSorted((a, b) => b.leads - a.leads);
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
  const agentIds = placed.flatMap(({ place }) => (place.kind === 'agent' ? [place.agentId] : []));
  const byAgent = Map.groupBy(agentIds, (agentId) => agentId);
  return [...byAgent]
    .map(([agentId, { length }]) => ({ agentId, leads: length, share: length / agentIds.length }))
    .toSorted((a, b) => b.leads - a.leads || (a.agentId < b.agentId ? -1 : 1));
}
