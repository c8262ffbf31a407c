import { coversLeadLocation, leftOutReason, speaksLeadLanguage } from './eligibility.ts';
import type { AgentVerdict, LeftOutReason, Preference } from './explanation.ts';
import type { RosterAgent } from './roster.ts';
import type { Gates } from './rule-schema.ts';
import type { Scene } from './routing-context.ts';

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

/** Who could take the lead: everyone the gates let through, then only the preferred among them. */
export function shortlist(agentIds: readonly string[], gates: Gates, scene: Scene): Shortlist {
  const reasons = new Map<string, LeftOutReason>();
  let eligible = letThrough(agentIds, gates, scene, reasons);
  const preferred: Preference[] = [];
  for (const { preference, suits, reason } of PREFERENCES) {
    if (gates[preference] !== 'prefer') continue;
    const suited = eligible.filter((agent) => suits(agent, scene.facts));
    if (suited.length === 0 || suited.length === eligible.length) continue;
    for (const agent of eligible) if (!suited.includes(agent)) reasons.set(agent.id, reason);
    preferred.push(preference);
    eligible = suited;
  }
  return { eligible, preferred, agents: agentIds.map((id) => verdict(id, reasons.get(id))) };
}

function letThrough(
  agentIds: readonly string[],
  gates: Gates,
  { agents, facts, now }: Scene,
  reasons: Map<string, LeftOutReason>,
): RosterAgent[] {
  return agentIds.flatMap((agentId) => {
    const agent = agents.get(agentId);
    const reason = agent ? leftOutReason({ agent, gates, facts, now }) : 'not_in_roster';
    if (reason) reasons.set(agentId, reason);
    return agent && !reason ? [agent] : [];
  });
}

function verdict(agentId: string, reason: LeftOutReason | undefined): AgentVerdict {
  return reason ? { agentId, eligible: false, reason } : { agentId, eligible: true };
}
