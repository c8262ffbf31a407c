import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import { isAbsentAt, isHolidayAt, isWorkingAt } from './calendar.ts';
import type { AgentVerdict, ExclusionReason, Preference } from './decision.ts';
import type { LeadFacts } from './condition.ts';
import { localTime } from './local-time.ts';
import { calendarOf, counted, type RosterAgent, type RoutingContext } from './roster.ts';
import type { Eligibility } from './rules.ts';

type Excludes = (agent: RosterAgent, gates: Eligibility, context: RoutingContext) => boolean;

/** Why a rule excludes an agent. The explanation gives the first reason that applies. */
const EXCLUSIONS: readonly (readonly [ExclusionReason, Excludes])[] = [
  ['inactive', ({ active }) => !active],
  // Their day and their hours are unknown.
  ['unknown_time_zone', ({ timeZone }, _, { now }) => localTime(now, timeZone) === null],
  ['paused', ({ paused }) => paused],
  ['absent', (agent, _, { now }) => isAbsentAt(calendarOf(agent), now)],
  ['taken_by_operator', ({ id }, _, { facts }) => facts.takenFromAgentIds?.includes(id) === true],
  ['held_earlier_in_round', ({ id }, _, { facts }) => facts.excludedAgentIds.includes(id)],
  ['daily_cap', (agent, { caps }) => caps && isFull(agent.assignedToday, agent.dailyCap)],
  ['open_cap', (agent, { caps }) => caps && isFull(agent.openLeads, agent.openCap)],
  [
    'holiday',
    (agent, { availability }, { holidays, now }) =>
      availability === 'working_hours' && isHolidayAt(calendarOf(agent, holidays), now),
  ],
  [
    'outside_working_hours',
    (agent, { availability }, { now }) =>
      availability === 'working_hours' && !isWorkingAt(calendarOf(agent), now),
  ],
  [
    'language',
    (agent, { language }, { facts }) => language === 'require' && !speaksLeadLanguage(agent, facts),
  ],
  [
    'location',
    (agent, { location }, { facts }) => location === 'require' && !coversLeadLocation(agent, facts),
  ],
];

/** A lead without a language can be served in any. */
export function speaksLeadLanguage(
  { languages }: Pick<RosterAgent, 'languages'>,
  { language }: LeadFacts,
): boolean {
  const spoken = new Set(languages.map(lookupKey));
  return language.length === 0 || language.some((code) => spoken.has(lookupKey(code)));
}

/** A lead without a location can be served by anyone. */
export function coversLeadLocation(
  { locationIds }: Pick<RosterAgent, 'locationIds'>,
  { location }: LeadFacts,
): boolean {
  const withAncestors = location.flatMap(({ id, ancestorIds }) => [id, ...ancestorIds]);
  return location.length === 0 || withAncestors.some((id) => locationIds.includes(id));
}

export function isFull(count: number | null, cap: number | null): boolean {
  return cap !== null && counted(count) >= cap;
}

export interface Shortlist {
  /** In the order in which they were named. */
  eligible: RosterAgent[];
  agents: AgentVerdict[];
  preferred: Preference[];
}

const PREFERENCES = [
  ['language', speaksLeadLanguage],
  ['location', coversLeadLocation],
] as const;

/** Lists who could take the lead: everyone eligible, or only the preferred among them. */
export function shortlistAgents(
  agentIds: readonly string[],
  gates: Eligibility,
  context: RoutingContext,
): Shortlist {
  const reasons = new Map<string, ExclusionReason>();
  const preferred: Preference[] = [];
  let eligible = agentIds.flatMap((id) => {
    const agent = context.agents.get(id);
    const reason = agent ? findExclusion(agent, gates, context) : 'not_in_roster';
    if (reason) reasons.set(id, reason);
    return agent && !reason ? [agent] : [];
  });
  for (const [preference, suits] of PREFERENCES) {
    if (gates[preference] !== 'prefer') continue;
    const suited = eligible.filter((agent) => suits(agent, context.facts));
    if (suited.length === 0 || suited.length === eligible.length) continue;
    for (const agent of eligible)
      if (!suited.includes(agent)) reasons.set(agent.id, `others_preferred_for_${preference}`);
    preferred.push(preference);
    eligible = suited;
  }
  return { eligible, preferred, agents: agentIds.map((id) => verdictFor(id, reasons.get(id))) };
}

/** Exclusions that end by the clock alone. */
const PASSING: readonly ExclusionReason[] = [
  'absent',
  'daily_cap',
  'holiday',
  'outside_working_hours',
];

/** Whether the agent is excluded for a reason that time alone does not end. */
export function isOutForGood(
  agent: RosterAgent,
  gates: Eligibility,
  context: RoutingContext,
): boolean {
  const isFullForever = gates.caps && agent.dailyCap === 0;
  return (
    isFullForever ||
    EXCLUSIONS.some(
      ([reason, excludes]) => !PASSING.includes(reason) && excludes(agent, gates, context),
    )
  );
}

function findExclusion(agent: RosterAgent, gates: Eligibility, context: RoutingContext) {
  return EXCLUSIONS.find(([, excludes]) => excludes(agent, gates, context))?.[0];
}

function verdictFor(agentId: string, reason: ExclusionReason | undefined): AgentVerdict {
  return reason ? { agentId, eligible: false, reason } : { agentId, eligible: true };
}
