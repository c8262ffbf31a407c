import { lookupKey } from '../catalogue/lookups/lookup-list.ts';
import { isAbsentAt, isHolidayAt, isWorkingAt } from './calendar.ts';
import type { LeadFacts } from './condition.ts';
import { localTime } from './local-time.ts';
import { calendarOf, counted, type RosterAgent, type RoutingContext } from './roster.ts';
import type { Eligibility, Rule } from './rules.ts';

/** The language of a lead whose languages are all unknown. No agent speaks it. */
export const UNREADABLE = '(unreadable)';

type Excludes = (agent: RosterAgent, gates: Eligibility, context: RoutingContext) => boolean;

const EXCLUSIONS = [
  ['inactive', ({ active }) => !active],
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
    (agent, { availability }, { holidays, now }) =>
      availability === 'working_hours' && !isWorkingAt(calendarOf(agent, holidays), now),
  ],
  [
    'unreadable_language',
    (_, { language }, { facts }) => language === 'require' && facts.language.includes(UNREADABLE),
  ],
  ['language', (agent, gates, { facts }) => lacks('language', agent, gates, facts)],
  ['location', (agent, gates, { facts }) => lacks('location', agent, gates, facts)],
  ['not_contact_owner', (agent, gates, { facts }) => lacks('contactOwner', agent, gates, facts)],
] as const satisfies readonly (readonly [string, Excludes])[];

export type Preference = keyof typeof SUITS;

export type ExclusionReason =
  'not_in_roster' | (typeof EXCLUSIONS)[number][0] | `others_preferred_for_${Preference}`;

export type AgentVerdict =
  | { agentId: string; eligible: true }
  | { agentId: string; eligible: false; reason: ExclusionReason };

function lacks(skill: Preference, agent: RosterAgent, gates: Eligibility, facts: LeadFacts) {
  return gates[skill] === 'require' && !SUITS[skill](agent, facts);
}

type Skilled = Pick<RosterAgent, 'id' | 'languages' | 'locationIds'>;

/** A lead without a language or a location suits every agent. */
const SUITS = {
  language({ languages }: Skilled, { language }: LeadFacts): boolean {
    const spoken = new Set(languages.map(lookupKey));
    return language.length === 0 || language.some((code) => spoken.has(lookupKey(code)));
  },
  location({ locationIds }: Skilled, { location }: LeadFacts): boolean {
    const withAncestors = location.flatMap(({ id, ancestorIds }) => [id, ...ancestorIds]);
    return location.length === 0 || withAncestors.some((id) => locationIds.includes(id));
  },
  contactOwner({ id }: Skilled, { contactOwnerId }: LeadFacts): boolean {
    return id === contactOwnerId;
  },
};

export function asksForContactOwner({ gates: { contactOwner = 'off' } }: Rule): boolean {
  return contactOwner !== 'off';
}

export function isFull(count: number | null, cap: number | null): boolean {
  return cap !== null && counted(count) >= cap;
}

export function roomOf(agents: readonly RosterAgent[]): number {
  const left = (count: number | null, cap: number | null) =>
    cap === null ? Infinity : cap - counted(count);
  return agents
    .map((each) =>
      Math.min(left(each.assignedToday, each.dailyCap), left(each.openLeads, each.openCap)),
    )
    .reduce((sum, room) => sum + room, 0);
}

export type Shortlist = ReturnType<typeof shortlistAgents>;

export function shortlistAgents(
  agentIds: readonly string[],
  gates: Eligibility,
  context: RoutingContext,
) {
  const reasons = new Map<string, ExclusionReason>();
  const preferred: Preference[] = [];
  let eligible = agentIds.flatMap((id) => {
    const agent = context.agents.get(id);
    const exclusion = agent && EXCLUSIONS.find(([, excludes]) => excludes(agent, gates, context));
    const reason = agent ? exclusion?.[0] : 'not_in_roster';
    if (reason) reasons.set(id, reason);
    return agent && !reason ? [agent] : [];
  });
  for (const preference of ['contactOwner', 'language', 'location'] as const) {
    if (gates[preference] !== 'prefer') continue;
    const suited = eligible.filter((agent) => SUITS[preference](agent, context.facts));
    if (suited.length === 0 || suited.length === eligible.length) continue;
    for (const agent of eligible)
      if (!suited.includes(agent)) reasons.set(agent.id, `others_preferred_for_${preference}`);
    preferred.push(preference);
    eligible = suited;
  }
  return { eligible, preferred, agents: agentIds.map((id) => verdictFor(id, reasons.get(id))) };
}

const TIMED: readonly ExclusionReason[] = [
  'absent',
  'daily_cap',
  'holiday',
  'outside_working_hours',
];
/** A response, a transfer or an operator may end these at any moment. */
const UNTIMED: readonly ExclusionReason[] = ['paused', 'open_cap'];

export function findObstacle(
  agent: RosterAgent,
  gates: Eligibility,
  context: RoutingContext,
): 'lasting' | 'passing' | null {
  if (gates.caps && (agent.dailyCap === 0 || agent.openCap === 0)) return 'lasting';
  const found = EXCLUSIONS.filter(
    ([reason, excludes]) => !TIMED.includes(reason) && excludes(agent, gates, context),
  );
  if (found.length === 0) return null;
  return found.every(([reason]) => UNTIMED.includes(reason)) ? 'passing' : 'lasting';
}

function verdictFor(agentId: string, reason: ExclusionReason | undefined): AgentVerdict {
  return reason ? { agentId, eligible: false, reason } : { agentId, eligible: true };
}
