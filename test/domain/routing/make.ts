import {
  FIELD_KINDS,
  type FactOf,
  type LeadFacts,
  type LeadLocation,
} from '../../../domain/routing/condition.ts';
import type { Roster, RosterAgent, TeamMember } from '../../../domain/routing/roster.ts';
import { ruleSchema, type Rule } from '../../../domain/routing/rules.ts';

export const NOON_IN_DUBAI = new Date('2026-03-02T08:00:00Z');
export const DEFAULTS = { followUpMinutes: 15 };

/** What a lead without details has in the fields of each kind. */
const NOTHING: FactOf = {
  text: null,
  flag: false,
  range: { min: null, max: null },
  list: [],
  places: [],
};

const NO_FACTS = {
  distributionType: null,
  ...Object.fromEntries(Object.entries(FIELD_KINDS).map(([field, kind]) => [field, NOTHING[kind]])),
  excludedAgentIds: [],
} as unknown as LeadFacts;

export function makeFacts(overrides: Partial<LeadFacts> = {}): LeadFacts {
  return { ...NO_FACTS, ...overrides };
}

export function makeLocation(id: string, ...ancestorIds: string[]): LeadLocation {
  return { id, ancestorIds };
}

/** A rule as stored: what a test leaves out has the stored default. */
export function makeRule(overrides: Record<string, unknown> = {}): Rule {
  return ruleSchema.parse({
    name: 'Everyone',
    order: 10,
    target: { kind: 'team', teamId: 'team' },
    ...overrides,
  });
}

export function makeAgent(overrides: Partial<RosterAgent> = {}): RosterAgent {
  return {
    id: 'sara',
    active: true,
    paused: false,
    languages: [],
    locationIds: [],
    category: null,
    timeZone: 'Asia/Dubai',
    workingHours: {},
    dailyCap: null,
    openCap: null,
    assignedToday: 0,
    openLeads: 0,
    lastAssignedAt: null,
    ...overrides,
  };
}

/** One team named `team` of these agents, each with weight 1 unless `members` says otherwise. */
export function makeRoster(
  agents: readonly RosterAgent[],
  members: Record<string, Partial<TeamMember>> = {},
): Roster {
  const team = agents.map(({ id }) => ({ agentId: id, weight: 1, credit: null, ...members[id] }));
  return { agents, teams: [{ id: 'team', members: team }] };
}
