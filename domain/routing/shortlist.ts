import { coversLeadLocation, findExclusionReason, speaksLeadLanguage } from './eligibility.ts';
import type { AgentVerdict, ExclusionReason, Preference } from './explanation.ts';
import type { RosterAgent } from './roster.ts';
import type { Eligibility } from './rule-schema.ts';
import type { RoutingContext } from './routing-context.ts';

export interface Shortlist {
  /** In the order in which they were named. */
  eligible: RosterAgent[];
  agents: AgentVerdict[];
  preferred: Preference[];
}

const PREFERENCES = [
  { preference: 'language', suits: speaksLeadLanguage, reason: 'others_preferred_for_language' },
  { preference: 'location', suits: coversLeadLocation, reason: 'others_preferred_for_location' },
] as const;

/** Who could take the lead: everyone eligible, then only the preferred among them. */
export function shortlist(
  agentIds: readonly string[],
  eligibility: Eligibility,
  context: RoutingContext,
): Shortlist {
  const reasons = new Map<string, ExclusionReason>();
  let eligible = filterEligible(agentIds, eligibility, context, reasons);
  const preferred: Preference[] = [];
  for (const { preference, suits, reason } of PREFERENCES) {
    if (eligibility[preference] !== 'prefer') continue;
    const suited = eligible.filter((agent) => suits(agent, context.facts));
    if (suited.length === 0 || suited.length === eligible.length) continue;
    for (const agent of eligible) if (!suited.includes(agent)) reasons.set(agent.id, reason);
    preferred.push(preference);
    eligible = suited;
  }
  return { eligible, preferred, agents: agentIds.map((id) => verdict(id, reasons.get(id))) };
}

function filterEligible(
  agentIds: readonly string[],
  eligibility: Eligibility,
  { agents, facts, now }: RoutingContext,
  reasons: Map<string, ExclusionReason>,
): RosterAgent[] {
  return agentIds.flatMap((agentId) => {
    const agent = agents.get(agentId);
    const reason = agent
      ? findExclusionReason({ agent, eligibility, facts, now })
      : 'not_in_roster';
    if (reason) reasons.set(agentId, reason);
    return agent && !reason ? [agent] : [];
  });
}

function verdict(agentId: string, reason: ExclusionReason | undefined): AgentVerdict {
  return reason ? { agentId, eligible: false, reason } : { agentId, eligible: true };
}
