import type { LookupList } from '../catalogue/lookups/lookup-list.ts';
import type { AgentEntry } from '../catalogue/lookups/reference.ts';
import {
  decidePersonalDistribution,
  type Distribution,
  type DistributionDecision,
} from './distribution-type.ts';
import type { Listing } from './listing-inheritance.ts';

/** The owner that the request itself decides, before any routing. */
export interface Ownership extends DistributionDecision {
  owner: { agent: AgentEntry; decidedBy: 'listing' | 'assigned_by' } | null;
  /** The agent to whom assignedBy resolved. */
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
