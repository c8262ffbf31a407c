import type { Assigned, CreditChange } from './decision.ts';
import { localTime } from './local-time.ts';
import type { Roster, RosterAgent, Team } from './roster.ts';

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
  const closed = countByAgent(open.filter(({ closesAtMs }) => closesAtMs <= now.getTime()));
  const newDay = zonesWithNewDay(roster, previous, now);
  const agents = roster.agents.map((agent) => ({
    ...agent,
    assignedToday: newDay.has(agent.timeZone) ? 0 : agent.assignedToday,
    openLeads: agent.openLeads - (closed.get(agent.id) ?? 0),
  }));
  return {
    roster: { ...roster, agents },
    open: open.filter(({ closesAtMs }) => !(closesAtMs <= now.getTime())),
  };
}

/** The roster as the next decision finds it. */
export function applyAssignment(
  roster: Roster,
  { agentId, rotation }: Pick<Assigned, 'agentId' | 'rotation'>,
  at: string,
): Roster {
  return {
    agents: roster.agents.map((agent) => (agent.id === agentId ? withLead(agent, at) : agent)),
    teams: withRotation(roster.teams, rotation),
  };
}

export function withRotation(teams: readonly Team[], changes: readonly CreditChange[]): Team[] {
  return teams.map((team) => {
    const own = changes.filter(({ teamId }) => teamId === team.id);
    const credits = new Map(own.map(({ agentId, credit }) => [agentId, credit]));
    const members = team.members.map((member) => {
      const credit = credits.get(member.agentId);
      return credit === undefined ? member : { ...member, credit };
    });
    return { ...team, members };
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

function withLead(agent: RosterAgent, at: string): RosterAgent {
  return {
    ...agent,
    assignedToday: agent.assignedToday + 1,
    openLeads: agent.openLeads + 1,
    lastAssignedAt: at,
  };
}

function zonesWithNewDay({ agents }: Roster, previous: Date, now: Date): Set<string> {
  const zones = new Set(agents.map(({ timeZone }) => timeZone));
  const date = (at: Date, timeZone: string) => localTime(at, timeZone)?.date;
  return new Set([...zones].filter((zone) => date(previous, zone) !== date(now, zone)));
}

function countByAgent(open: readonly OpenLead[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { agentId } of open) counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
  return counts;
}
