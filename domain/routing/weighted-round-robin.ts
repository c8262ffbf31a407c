import { isAway, type RoutingContext, type Team, type TeamMember } from './roster.ts';

/**
 * One turn of smooth weighted round robin: every eligible member's credit grows by their weight, the
 * highest takes the lead and pays the weights of all of them. A turn leaves the sum of the credits as it
 * was, so over a whole cycle of the same members each takes exactly their weight.
 *
 * A member who cannot take a lead (language, cap, hours, pause, absence) keeps their credit: they neither
 * gain a claim on later leads nor lose their turn, and a lead that only one can take costs that one nothing.
 * Credits stay within one cycle's worth however the kinds of leads and the absences mix, so who comes back
 * has neither a claim nor a debt beyond it.
 *
 * A member who is new starts at the lowest credit of those present. Once weights or members changed, what is
 * left of a longer cycle is let off: nobody waits hundreds of turns for it.
 */
export function takeTurn(
  { id: teamId, members }: Team,
  eligibleIds: ReadonlySet<string>,
  { agents, now }: Pick<RoutingContext, 'agents' | 'now'>,
) {
  const present = members.filter(({ agentId }) => !isAway(agents.get(agentId), now));
  const eligible = readCredits(present, eligibleIds);
  const [highest] = eligible.toSorted((a, b) => b.credit + b.weight - (a.credit + a.weight));
  if (!highest) return null;
  const price = sumOfWeights(eligible);
  const arithmetic = eligible.map(({ agentId, weight, credit: creditBefore }) => {
    const paid = agentId === highest.agentId ? price : 0;
    return { agentId, creditBefore, weight, creditAfter: creditBefore + weight - paid };
  });
  const changes = arithmetic.map(({ agentId, creditAfter }) => ({
    teamId,
    agentId,
    credit: creditAfter,
  }));
  return { chosen: highest.agentId, arithmetic, changes };
}

/**
 * The credits of the eligible before the turn. They lie within a cycle's worth on either side of zero, so two
 * of them never differ by more than two.
 */
function readCredits(present: readonly TeamMember[], eligibleIds: ReadonlySet<string>) {
  const known = knownCredits(present);
  const starting = known.length === 0 ? 0 : Math.min(...known);
  const eligible = present
    .filter(({ agentId }) => eligibleIds.has(agentId))
    .map((member) => ({ ...member, credit: member.credit ?? starting }));
  const lowest = Math.max(...knownCredits(eligible)) - 2 * sumOfWeights(present);
  return eligible.map(({ agentId, weight, credit }) => ({
    agentId,
    weight,
    credit: Math.max(credit, lowest),
  }));
}

function knownCredits(members: readonly Pick<TeamMember, 'credit'>[]): number[] {
  return members.flatMap(({ credit }) => (credit === null ? [] : [credit]));
}

function sumOfWeights(members: readonly Pick<TeamMember, 'weight'>[]): number {
  return members.reduce((sum, { weight }) => sum + weight, 0);
}
