import type { AgentEntry } from '../catalogue/lookups/reference.ts';
import type { LookupList } from '../catalogue/lookups/lookup-list.ts';
import { PERSONAL_DISTRIBUTION } from './distribution-type.ts';
import type { Listing } from './listing-inheritance.ts';
import type { Unresolved } from './resolve-fields.ts';

/** Who owns the lead by what the request itself says, before any routing. */
export interface Ownership {
  owner: { agent: AgentEntry; decidedBy: 'listing' | 'assigned_by' } | null;
  /** Whom assignedBy resolved to. */
  named: AgentEntry | null;
  /** The value for the column; a Personal marker without a resolved owner is dropped. */
  distributionType: string | null;
  isPersonal: boolean;
  unresolved: Unresolved;
}

export interface OwnershipFacts {
  assignedBy: string | null;
  distribution: { sent: string; type: string } | null;
  listing: Listing | null;
  agents: LookupList<AgentEntry>;
}

/**
 * The listing's own agent wins over assignedBy (Listing inheritance). Personal distribution takes
 * effect only with an assignedBy that resolves to a current agent (distributionType, 5).
 */
export function decideOwnership({
  assignedBy,
  distribution,
  listing,
  agents,
}: OwnershipFacts): Ownership {
  const named = assignedBy === null ? null : currentAgent(agents, assignedBy);
  const listed = listing?.agentId ? (agents.byId(listing.agentId) ?? null) : null;
  const wantsPersonal = distribution?.type === PERSONAL_DISTRIBUTION;
  const unresolved: Unresolved = {};
  if (assignedBy !== null && !named) unresolved.assignedBy = assignedBy;
  if (wantsPersonal && !named) unresolved.distributionType = distribution.sent;
  const isDropped = wantsPersonal && !named;
  return {
    owner: ownerFrom(listed, named),
    named,
    distributionType: isDropped ? null : (distribution?.type ?? null),
    isPersonal: wantsPersonal && named !== null,
    unresolved,
  };
}

function ownerFrom(listed: AgentEntry | null, named: AgentEntry | null): Ownership['owner'] {
  if (listed?.active) return { agent: listed, decidedBy: 'listing' };
  return named ? { agent: named, decidedBy: 'assigned_by' } : null;
}

function currentAgent(agents: LookupList<AgentEntry>, email: string): AgentEntry | null {
  const outcome = agents.resolve(email);
  return outcome.kind === 'matched' && outcome.entry.active ? outcome.entry : null;
}
