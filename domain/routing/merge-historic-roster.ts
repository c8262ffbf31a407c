import type { Roster, RosterAgent, Team } from './roster.ts';

/**
 * A running roster with what was really known of its people and teams at a moment: who was active or
 * paused, their caps, hours, languages and weights. What the replay counts itself goes on: loads,
 * credits and the last lead.
 */
export function mergeHistoricRoster(running: Roster, known: Roster): Roster {
  return {
    agents: mergeById(running.agents, known.agents, withOwnCounts),
    teams: mergeById(running.teams, known.teams, withOwnCredits),
  };
}

function mergeById<T extends { id: string }>(
  running: readonly T[],
  known: readonly T[],
  merge: (running: T, known: T) => T,
): T[] {
  const knownById = new Map(known.map((each) => [each.id, each]));
  const ids = new Set(running.map(({ id }) => id));
  return [
    ...running.map((each) => {
      const then = knownById.get(each.id);
      return then ? merge(each, then) : each;
    }),
    ...known.filter(({ id }) => !ids.has(id)),
  ];
}

function withOwnCounts(
  { assignedToday, openLeads, lastAssignedAt }: RosterAgent,
  known: RosterAgent,
): RosterAgent {
  return { ...known, assignedToday, openLeads, lastAssignedAt };
}

function withOwnCredits(running: Team, known: Team): Team {
  const credits = new Map(running.members.map(({ agentId, credit }) => [agentId, credit]));
  const members = known.members.map((member) => {
    const credit = credits.get(member.agentId);
    return credit === undefined ? member : { ...member, credit };
  });
  return { ...known, members };
}
