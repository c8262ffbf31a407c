import type { Roster, RosterAgent, Team, TeamMember } from './roster.ts';
import type { Assigned, CreditChange } from './decision.ts';
import { localTime } from './local-time.ts';

/** A lead that still counts against its agent's cap on open leads. */
export interface OpenLead {
  agentId: string;
  closesAtMs: number;
}

/** What one member's credit became in a turn that was taken. */
export interface PastTurn {
  teamId: string;
  agentId: string;
  creditBefore: number;
  creditAfter: number;
}

/** New days begin, and leads close, between one lead and the next. */
export function advanceRoster(
  roster: Roster,
  previous: Date,
  now: Date,
  open: readonly OpenLead[],
): { roster: Roster; open: OpenLead[] } {
  const { closed = [], stillOpen = [] } = Object.groupBy(open, ({ closesAtMs }) =>
    closesAtMs <= now.getTime() ? 'closed' : 'stillOpen',
  );
  const closedByAgent = Map.groupBy(closed, ({ agentId }) => agentId);
  const newDay = zonesWithNewDay(roster, previous, now);
  const agents = roster.agents.map((agent) => ({
    ...agent,
    assignedToday: newDay.has(agent.timeZone) ? 0 : agent.assignedToday,
    openLeads: agent.openLeads - (closedByAgent.get(agent.id)?.length ?? 0),
  }));
  return { roster: { ...roster, agents }, open: stillOpen };
}

/** The roster as the next decision finds it. */
export function applyAssignment(
  roster: Roster,
  { agentId, rotation }: Pick<Assigned, 'agentId' | 'rotation'>,
  at: string,
): Roster {
  const withLead = ({ assignedToday, openLeads, ...agent }: RosterAgent) => ({
    ...agent,
    assignedToday: assignedToday + 1,
    openLeads: openLeads + 1,
    lastAssignedAt: at,
  });
  return {
    agents: roster.agents.map((agent) => (agent.id === agentId ? withLead(agent) : agent)),
    teams: withRotation(roster.teams, rotation),
  };
}

export function withRotation(teams: readonly Team[], changes: readonly CreditChange[]): Team[] {
  return teams.map((team) => {
    return withCredits(
      team,
      changes.filter(({ teamId }) => teamId === team.id),
    );
  });
}

/** A turn moves whatever credit a member has by now as far as it moved the one of then. */
export function replayTurns(teams: readonly Team[], turns: readonly PastTurn[]): CreditChange[] {
  return turns.map(({ teamId, agentId, creditBefore, creditAfter }) => {
    const team = teams.find(({ id }) => id === teamId);
    const member = team?.members.find((each) => each.agentId === agentId);
    return {
      teamId,
      agentId,
      credit: (member?.credit ?? creditBefore) + creditAfter - creditBefore,
    };
  });
}

function zonesWithNewDay({ agents }: Roster, previous: Date, now: Date): Set<string> {
  const zones = new Set(agents.map(({ timeZone }) => timeZone));
  const date = (at: Date, timeZone: string) => localTime(at, timeZone)?.date;
  return new Set([...zones].filter((zone) => date(previous, zone) !== date(now, zone)));
}

/**
 * A running roster with what was really known of its people and teams at a moment: who was active or
 * paused, their caps, hours, languages and weights. What the replay counts itself goes on: loads,
 * credits and the last lead.
 */
export function mergeHistoricRoster(running: Roster, known: Roster): Roster {
  return {
    agents: mergeById(running.agents, known.agents, withOwnCounts),
    teams: mergeById(running.teams, known.teams, ({ members }, team) => withCredits(team, members)),
  };
}

function mergeById<T extends { id: string }>(
  running: readonly T[],
  known: readonly T[],
  merge: (running: T, known: T) => T,
): T[] {
  const knownById = new Map(known.map((each) => [each.id, each]));
  const ids = new Set(running.map(({ id }) => id));
  const merged = running.map((each) => {
    const then = knownById.get(each.id);
    return then ? merge(each, then) : each;
  });
  return [...merged, ...known.filter(({ id }) => !ids.has(id))];
}

function withOwnCounts(
  { assignedToday, openLeads, lastAssignedAt }: RosterAgent,
  known: RosterAgent,
): RosterAgent {
  return { ...known, assignedToday, openLeads, lastAssignedAt };
}

function withCredits(team: Team, given: readonly Pick<TeamMember, 'agentId' | 'credit'>[]): Team {
  const credits = new Map(given.map(({ agentId, credit }) => [agentId, credit]));
  const members = team.members.map((member) => {
    const credit = credits.get(member.agentId);
    return credit === undefined ? member : { ...member, credit };
  });
  return { ...team, members };
}
