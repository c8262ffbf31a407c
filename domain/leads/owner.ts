import type { LookupList } from '../catalogue/lookups/lookup-list.ts';
import type { AgentEntry } from '../catalogue/lookups/reference.ts';
import { type Distribution, PERSONAL_DISTRIBUTION } from './distribution-type.ts';
import type { Unresolved } from './fields.ts';
import type { Listing } from './listing-inheritance.ts';

interface DistributionDecision {
  distributionType: string | null;
  /** The lead is never re-assigned and has no response deadline (distributionType, 4). */
  isPersonal: boolean;
  unresolved: Unresolved;
}

export interface Ownership extends DistributionDecision {
  owner: { agent: AgentEntry; decidedBy: 'listing' | 'assigned_by' } | null;
  named: AgentEntry | null;
}

interface OwnershipFacts {
  assignedBy: string | null;
  distribution: Distribution | null;
  listing: Listing | null;
  agents: LookupList<AgentEntry>;
}

/** The listing's own agent wins over assignedBy (Listing inheritance). */
export function decideOwnership(facts: OwnershipFacts): Ownership {
  const { assignedBy, distribution, listing, agents } = facts;
  const found = assignedBy === null ? null : agents.resolve(assignedBy);
  const named = found?.active ? found : null;
  const listed = listing?.agentId ? agents.byId(listing.agentId) : undefined;
  const decided = decidePersonalDistribution(distribution, named);
  const unresolved = assignedBy !== null && !named ? { assignedBy } : {};
  return {
    ...decided,
    owner: ownerFrom(listed, named),
    named,
    unresolved: { ...unresolved, ...decided.unresolved },
  };
}

function ownerFrom(listed: AgentEntry | undefined, named: AgentEntry | null): Ownership['owner'] {
  if (listed?.active) return { agent: listed, decidedBy: 'listing' };
  return named && { agent: named, decidedBy: 'assigned_by' };
}

/** Without an assignedBy that resolves to a current agent, the marker is unresolved (distributionType, 5). */
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
