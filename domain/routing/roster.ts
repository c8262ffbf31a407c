import { isAbsentAt, type Calendar, type DatedHours, type Period } from './calendar.ts';
import type { Defaults } from './follow-up.ts';
import type { LeadFacts } from './condition.ts';
import type { WorkingHours } from './working-hours.ts';

export interface RosterAgent {
  id: string;
  active: boolean;
  paused: boolean;
  languages: readonly string[];
  locationIds: readonly string[];
  category: string | null;
  timeZone: string;
  workingHours: WorkingHours;
  /** Without past ones, like the absences. */
  datedHours?: readonly DatedHours[];
  absences?: readonly Period[];
  dailyCap: number | null;
  openCap: number | null;
  /** In the agent's time zone. Null if no cap or rule needs the count. */
  assignedToday: number | null;
  openLeads: number | null;
  /** ISO 8601. Null without a lead, or if no rule asks for it. */
  lastAssignedAt: string | null;
}

export interface TeamMember {
  agentId: string;
  weight: number;
  /** In leads. Null for a new member. */
  credit: number | null;
}

export interface Team {
  id: string;
  members: readonly TeamMember[];
}

export interface CreditChange {
  teamId: string;
  agentId: string;
  credit: number;
}

export interface Roster {
  agents: readonly RosterAgent[];
  teams: readonly Team[];
  holidays?: readonly Period[];
}

export function rosterOf(
  { agents, teams, ...rest }: Roster,
  { teamIds, agentIds }: { teamIds: readonly string[]; agentIds: readonly string[] },
): Roster {
  const wanted = teams.filter(({ id }) => teamIds.includes(id));
  const members = wanted.flatMap((team) => team.members.map(({ agentId }) => agentId));
  const ids = new Set([...agentIds, ...members]);
  return { ...rest, agents: agents.filter(({ id }) => ids.has(id)), teams: wanted };
}

export function advanceRoster(
  { agents, teams, ...rest }: Roster,
  { agentId, rotation }: { agentId: string; rotation: readonly CreditChange[] },
  { now, byLoad, isNewToday = true }: { now: Date; byLoad: boolean; isNewToday?: boolean },
): Roster {
  const plus = (count: number | null, more: number) => (count === null ? null : count + more);
  const ofTeams = Map.groupBy(rotation, ({ teamId }) => teamId);
  return {
    ...rest,
    agents: agents.map((agent) =>
      agent.id === agentId
        ? {
            ...agent,
            assignedToday: plus(agent.assignedToday, isNewToday ? 1 : 0),
            openLeads: plus(agent.openLeads, 1),
            ...(byLoad && { lastAssignedAt: later(agent.lastAssignedAt, now.toISOString()) }),
          }
        : agent,
    ),
    teams: teams.map((team) => {
      const changes = ofTeams.get(team.id);
      return changes ? withCredits(team, changes) : team;
    }),
  };
}

/** The clocks of workers differ. */
const later = (a: string | null, b: string) => (a !== null && a > b ? a : b);

export function withCredits(team: Team, given: readonly Pick<TeamMember, 'agentId' | 'credit'>[]) {
  const credits = new Map(given.map(({ agentId, credit }) => [agentId, credit]));
  const members = team.members.map((member) => {
    const credit = credits.get(member.agentId);
    return credit === undefined ? member : { ...member, credit };
  });
  return { ...team, members };
}

export function counted(count: number | null): number {
  if (count === null) throw new Error('The roster was read without this count.');
  return count;
}

/** Out of the rotation, not only passed over for one lead. */
export function isAway(agent: RosterAgent | undefined, now: Date): boolean {
  return !agent?.active || agent.paused || isAbsentAt(calendarOf(agent), now);
}

export function calendarOf(
  { workingHours, datedHours = [], timeZone, absences = [] }: RosterAgent,
  holidays: readonly Period[] = [],
): Calendar {
  return { workingHours, datedHours, timeZone, absences, holidays };
}

export function agentCalendar({ agents, holidays }: Roster, agentId: string): Calendar {
  const agent = agents.find(({ id }) => id === agentId);
  if (!agent) throw new Error(`Agent ${agentId} is not in the roster.`);
  return calendarOf(agent, holidays);
}

export type RoutingContext = ReturnType<typeof buildRoutingContext>;

export function buildRoutingContext(
  facts: LeadFacts,
  roster: Roster,
  now: Date,
  defaults: Defaults,
) {
  return {
    facts,
    agents: new Map(roster.agents.map((agent) => [agent.id, agent])),
    teams: new Map(roster.teams.map((team) => [team.id, team])),
    holidays: roster.holidays ?? [],
    now,
    defaults,
  };
}
