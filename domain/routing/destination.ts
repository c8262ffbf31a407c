import type { Decision } from './decision.ts';

/** Where a lead ends up. */
export type Destination =
  { kind: 'agent'; agentId: string } | { kind: 'pool'; poolId: string } | { kind: 'nobody' };

export function destinationOf(decision: Decision): Destination {
  if (decision.kind === 'assigned') return { kind: 'agent', agentId: decision.agentId };
  if (decision.kind === 'pool') return { kind: 'pool', poolId: decision.poolId };
  return { kind: 'nobody' };
}

export function destinationKey(place: Destination): string {
  if (place.kind === 'agent') return `agent ${place.agentId}`;
  if (place.kind === 'pool') return `pool ${place.poolId}`;
  return 'nobody';
}
