import { destinationKey, type Destination } from './decision.ts';

/** Where a lead goes under one set of rules and under another. */
export interface Move {
  from: Destination;
  to: Destination;
}

/** "37 of 1,204 would go elsewhere; 6 would find nobody". */
export interface Comparison {
  total: number;
  elsewhere: number;
  nobody: { before: number; after: number };
  waits: { before: Waits; after: Waits };
  /** Every move between two places, most frequent first; leads that stay are not in it. */
  moves: (Move & { leads: number })[];
  sharesBefore: Share[];
  sharesAfter: Share[];
}

export function compareOutcomes(leads: readonly Move[]): Comparison {
  const moved = leads.filter(({ from, to }) => destinationKey(from) !== destinationKey(to));
  const before = leads.map(({ from }) => from);
  const after = leads.map(({ to }) => to);
  const countNobody = (places: readonly Destination[]) =>
    places.filter(({ kind }) => kind === 'nobody').length;
  return {
    total: leads.length,
    elsewhere: moved.length,
    nobody: { before: countNobody(before), after: countNobody(after) },
    waits: { before: countWaits(before), after: countWaits(after) },
    moves: countMoves(moved),
    sharesBefore: distributionOf(before),
    sharesAfter: distributionOf(after),
  };
}

/** Leads that would wait for an agent, and for how long at first. */
export interface Waits {
  leads: number;
  medianMinutes: number;
  longestMinutes: number;
}

function countWaits(places: readonly Destination[]): Waits {
  const minutes = places.flatMap((place) => (place.kind === 'waiting' ? [place.minutes] : []));
  const inOrder = minutes.toSorted((a, b) => a - b);
  return {
    leads: inOrder.length,
    medianMinutes: inOrder[Math.floor((inOrder.length - 1) / 2)] ?? 0,
    longestMinutes: inOrder.at(-1) ?? 0,
  };
}

function countMoves(moved: readonly Move[]): Comparison['moves'] {
  const keyOf = ({ from, to }: Move) => `${destinationKey(from)} > ${destinationKey(to)}`;
  return [...Map.groupBy(moved, keyOf).values()]
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
export function distributionOf(places: readonly Destination[]): Share[] {
  const agentIds = places.flatMap((place) => (place.kind === 'agent' ? [place.agentId] : []));
  return [...Map.groupBy(agentIds, (agentId) => agentId)]
    .map(([agentId, { length }]) => ({ agentId, leads: length, share: length / agentIds.length }))
    .toSorted((a, b) => b.leads - a.leads || (a.agentId < b.agentId ? -1 : 1));
}
