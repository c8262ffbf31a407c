import { compareOutcomes } from '../../domain/routing/compare-outcomes.ts';
import type { Comparison, Outcome } from '../../domain/routing/compare-outcomes.ts';
import { destinationKey } from '../../domain/routing/destination.ts';
import type { Explanation, Destination } from '../../domain/routing/types.ts';
import type { DecisionEntry } from '../../store/routing/stored-decisions.ts';

export interface Placement {
  place: Destination;
  explanation: Explanation;
}

export interface MovedLead {
  leadId: string;
  round: number;
  before: Placement;
  after: Placement;
}

export interface PastReplay {
  comparison: Comparison;
  /** Leads that the replay under their own rules puts where they really went. */
  faithful: number;
  /** The first leads that would go elsewhere. */
  sample: MovedLead[];
}

/** Counts as the replay goes, so that no explanation is kept but those of the sample. */
export function createTally(sampleSize: number) {
  const before: Outcome[] = [];
  const after: Outcome[] = [];
  const sample: MovedLead[] = [];
  let faithful = 0;
  return {
    add({ assignmentId, leadId, round, ...real }: DecisionEntry, was: Placement, would: Placement) {
      before.push({ leadId: assignmentId, place: was.place });
      after.push({ leadId: assignmentId, place: would.place });
      if (isSame(was.place, realDestination(real))) faithful += 1;
      if (isSame(was.place, would.place) || sample.length >= sampleSize) return;
      sample.push({ leadId, round, before: was, after: would });
    },
    result: (): PastReplay => ({ comparison: compareOutcomes(before, after), faithful, sample }),
  };
}

function isSame(one: Destination, other: Destination): boolean {
  return destinationKey(one) === destinationKey(other);
}

function realDestination({
  agentId,
  poolId,
}: Pick<DecisionEntry, 'agentId' | 'poolId'>): Destination {
  if (agentId !== null) return { kind: 'agent', agentId };
  return poolId === null ? { kind: 'nobody' } : { kind: 'pool', poolId };
}
