import type { Defaults } from './follow-up.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { WorkingHours } from './working-hours.ts';

export interface RosterAgent {
  id: string;
  active: boolean;
  paused: boolean;
  /** Codes, as in the lead's facts. */
  languages: readonly string[];
  /** The agent covers these and everything under them. */
  locationIds: readonly string[];
  category: string | null;
  timeZone: string;
  workingHours: WorkingHours;
  dailyCap: number | null;
  openCap: number | null;
  /** Today is the agent's own, in their time zone. */
  assignedToday: number;
  openLeads: number;
  /** ISO 8601; null when they never had a lead. */
  lastAssignedAt: string | null;
}

export interface TeamMember {
  agentId: string;
  weight: number;
  /** The position in the team's rotation; null for one who is new to it or was away. */
  credit: number | null;
}

export interface Team {
  id: string;
  /** In the team's own order, which breaks ties. */
  members: readonly TeamMember[];
}

/** Everyone a decision could choose, at that moment. */
export interface Roster {
  agents: readonly RosterAgent[];
  teams: readonly Team[];
}

/** Out of the rotation altogether, as against passed over for one lead. */
export function isAway(agent: RosterAgent | undefined): boolean {
  return agent === undefined || !agent.active || agent.paused;
}

/** The input of a decision besides the rules, with the roster by id. */
export interface RoutingContext {
  facts: LeadFacts;
  agents: ReadonlyMap<string, RosterAgent>;
  teams: ReadonlyMap<string, Team>;
  now: Date;
  defaults: Defaults;
}

export function buildRoutingContext(
  facts: LeadFacts,
  roster: Roster,
  now: Date,
  defaults: Defaults,
): RoutingContext {
  return {
    facts,
    agents: new Map(roster.agents.map((agent) => [agent.id, agent])),
    teams: new Map(roster.teams.map((team) => [team.id, team])),
    now,
    defaults,
  };
}
