import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import type { AgentVerdict, ExclusionReason, Preference } from './explanation.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { RosterAgent, RoutingContext } from './roster.ts';
import type { Eligibility } from './rule-schema.ts';
import { isWithinWorkingHours } from './working-hours.ts';

interface Case {
  agent: RosterAgent;
  facts: LeadFacts;
  eligibility: Eligibility;
  now: Date;
}

/** Why a rule leaves an agent out; the first that applies is the one explained. */
const EXCLUSION_RULES: readonly { reason: ExclusionReason; applies: (each: Case) => boolean }[] = [
  { reason: 'inactive', applies: ({ agent }) => !agent.active },
  { reason: 'paused', applies: ({ agent }) => agent.paused },
  {
    reason: 'held_earlier_in_round',
    applies: ({ agent, facts }) => facts.excludedAgentIds.includes(agent.id),
  },
  {
    reason: 'daily_cap',
    applies: ({ agent, eligibility }) =>
      eligibility.caps && isFull(agent.assignedToday, agent.dailyCap),
  },
  {
    reason: 'open_cap',
    applies: ({ agent, eligibility }) => eligibility.caps && isFull(agent.openLeads, agent.openCap),
  },
  {
    reason: 'outside_working_hours',
    applies: ({ agent, eligibility, now }) =>
      eligibility.availability === 'working_hours' &&
      !isWithinWorkingHours(agent.workingHours, agent.timeZone, now),
  },
  {
    reason: 'language',
    applies: ({ agent, facts, eligibility }) =>
      eligibility.language === 'require' && !speaksLeadLanguage(agent, facts),
  },
  {
    reason: 'location',
    applies: ({ agent, facts, eligibility }) =>
      eligibility.location === 'require' && !coversLeadLocation(agent, facts),
  },
];

/** A lead without a language can be served in any. */
function speaksLeadLanguage(agent: RosterAgent, { language }: LeadFacts): boolean {
  const spoken = new Set(agent.languages.map(lookupKey));
  return language.length === 0 || language.some((code) => spoken.has(lookupKey(code)));
}

/** A lead without a location can be served by anyone. */
function coversLeadLocation(agent: RosterAgent, { location }: LeadFacts): boolean {
  const covered = new Set(agent.locationIds);
  return (
    location.length === 0 ||
    location.some(({ id, ancestorIds }) => [id, ...ancestorIds].some((each) => covered.has(each)))
  );
}

function isFull(count: number, cap: number | null): boolean {
  return cap !== null && count >= cap;
}

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
export function shortlistAgents(
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
  return { eligible, preferred, agents: agentIds.map((id) => verdictFor(id, reasons.get(id))) };
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
      ? EXCLUSION_RULES.find(({ applies }) => applies({ agent, eligibility, facts, now }))?.reason
      : 'not_in_roster';
    if (reason) reasons.set(agentId, reason);
    return agent && !reason ? [agent] : [];
  });
}

function verdictFor(agentId: string, reason: ExclusionReason | undefined): AgentVerdict {
  return reason ? { agentId, eligible: false, reason } : { agentId, eligible: true };
}
