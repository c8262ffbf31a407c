import type { AgentEntry } from '../catalogue/lookups/reference.ts';
import { PERSONAL_DISTRIBUTION, type Distribution } from './distribution-type.ts';
import type { Unresolved } from './lookup-semantics.ts';

export interface DistributionDecision {
  /** The value for the column. */
  distributionType: string | null;
  /** An owned lead is never re-assigned automatically and runs no follow-up clock (distributionType, 4). */
  isPersonal: boolean;
  unresolved: Unresolved;
}

/**
 * `Personal distribution` takes effect only with an assignedBy that resolves to a current agent; without
 * one the marker is dropped and comes back as unresolved (distributionType, 5).
 */
export function decidePersonalDistribution(
  distribution: Distribution | null,
  assignedBy: AgentEntry | null,
): DistributionDecision {
  const distributionType = distribution?.type ?? null;
  const isPersonal = distributionType === PERSONAL_DISTRIBUTION;
  if (!isPersonal || assignedBy) return { distributionType, isPersonal, unresolved: {} };
  const unresolved = { distributionType: distribution?.sent };
  return { distributionType: null, isPersonal: false, unresolved };
}
