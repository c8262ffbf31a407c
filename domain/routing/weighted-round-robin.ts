import { isAway, type RoutingContext, type Team, type TeamMember } from './roster.ts';

/**
 * One turn of smooth weighted round robin: every eligible member's credit grows by their weight, the
 * highest takes the lead and pays the weights of all of them. A turn leaves the sum of the credits as it
 * was, so over a whole cycle of the same members each takes exactly their weight.
 *
 * A member passed over for one lead (language, cap, hours) keeps their credit: they neither gain a claim
 * on later leads nor lose their turn, and a lead that only one can take costs that one nothing. Credits
 * stay within one cycle's worth however the kinds of leads mix, so no member can run up a debt.
 *
 * A member who is away loses their credit, and comes back with the lowest of the others'. Once weights or
 * members changed, what is left of a longer cycle is let off: nobody waits hundreds of turns for it.
 */
export function takeTurn(
  { id: teamId, members }: Team,
  eligibleIds: ReadonlySet<string>,
  { agents, now }: Pick<RoutingContext, 'agents' | 'now'>,
) {
  const present = members.filter(({ agentId }) => !isAway(agents.get(agentId), now));
  const eligible = readCredits(present).filter(({ agentId }) => eligibleIds.has(agentId));
  const [highest] = eligible.toSorted((a, b) => b.credit + b.weight - (a.credit + a.weight));
  if (!highest) return null;
  const price = sumOfWeights(eligible);
  const arithmetic = eligible.map(({ agentId, weight, credit: creditBefore }) => {
    const paid = agentId === highest.agentId ? price : 0;
    return { agentId, creditBefore, weight, creditAfter: creditBefore + weight - paid };
  });
  const kept = arithmetic.map(({ agentId, creditAfter }) => ({ agentId, credit: creditAfter }));
  const forgotten = members
    .filter(({ agentId, credit }) => credit !== null && isAway(agents.get(agentId), now))
    .map(({ agentId }) => ({ agentId, credit: null }));
  const changes = [...kept, ...forgotten].map((change) => ({ teamId, ...change }));
  return { chosen: highest.agentId, arithmetic, changes };
}

/**
 * The credits before the turn. They lie within a cycle's worth on either side of zero, so two of them never
 * differ by more than two.
 */
function readCredits(present: readonly TeamMember[]) {
  const credits = present.flatMap(({ credit }) => (credit === null ? [] : [credit]));
  const lowest = Math.max(...credits) - 2 * sumOfWeights(present);
  const starting = credits.length === 0 ? 0 : Math.min(...credits);
  return present.map(({ agentId, weight, credit }) => ({
    agentId,
    weight,
    credit: Math.max(credit ?? starting, lowest),
  }));
}

function sumOfWeights(members: readonly Pick<TeamMember, 'weight'>[]): number {
  return members.reduce((sum, { weight }) => sum + weight, 0);
}
