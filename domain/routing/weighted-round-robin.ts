import { isAway, type RoutingContext, type Team, type TeamMember } from './roster.ts';

/** Claims that differ by less are alike: they come from sums of thirds and the like. */
const ALIKE = 1e-6;

/**
 * One turn of smooth weighted round robin, counted in leads: every eligible member's credit grows by their weight's share
 * of the lead, the highest takes it and pays one; of those alike the first of the team. So a credit is what a member is
 * owed: the leads that were their share at the turns for which they were eligible, less those that they took. It stays
 * within a few leads however the kinds of leads, pauses and absences mix, and over a whole cycle of the same members each
 * takes exactly their weight.
 *
 * A member who cannot take a lead (language, cap, hours, pause, absence) keeps their credit: they neither gain a claim on
 * later leads nor lose their turn, and a lead that only one can take costs that one nothing. A member who is new is owed
 * nothing and owes nothing: whoever starts lower and is taken out of the team each night never has a turn.
 */
export function takeTurn(
  { id: teamId, members }: Team,
  eligibleIds: ReadonlySet<string>,
  { agents, now }: Pick<RoutingContext, 'agents' | 'now'>,
) {
  const present = members.filter(({ agentId }) => !isAway(agents.get(agentId), now));
  const eligible = present.filter(({ agentId }) => eligibleIds.has(agentId));
  const all = sumOfWeights(eligible);
  const claims = eligible.map(({ agentId, weight, credit }) => {
    const creditBefore = credit ?? 0;
    return { agentId, creditBefore, weight, claim: creditBefore + weight / all };
  });
  const highest = Math.max(...claims.map(({ claim }) => claim));
  const chosen = claims.find(({ claim }) => claim > highest - ALIKE)?.agentId;
  if (chosen === undefined) return null;
  const arithmetic = claims.map(({ claim, ...member }) => ({
    ...member,
    creditAfter: member.agentId === chosen ? claim - 1 : claim,
  }));
  const changes = arithmetic.map(({ agentId, creditAfter }) => ({
    ...{ teamId, agentId },
    credit: creditAfter,
  }));
  return { chosen, arithmetic, changes };
}

function sumOfWeights(members: readonly Pick<TeamMember, 'weight'>[]): number {
  return members.reduce((sum, { weight }) => sum + weight, 0);
}
