import type { Defaults } from './decision.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { Roster, RosterAgent, Team } from './roster.ts';

/** What a decision looks at besides the rules, with the roster by id. */
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
