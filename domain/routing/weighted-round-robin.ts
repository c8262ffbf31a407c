import type { CreditChange } from './decision.ts';
import type { CreditStep } from './explanation.ts';
import { isAway, type RosterAgent, type Team, type TeamMember } from './roster.ts';

export interface Turn {
  chosen: string;
  arithmetic: CreditStep[];
  changes: CreditChange[];
}

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
  team: Team,
  eligibleIds: ReadonlySet<string>,
  agents: ReadonlyMap<string, RosterAgent>,
): Turn | null {
  const present = clampToCycle(team.members.filter(({ agentId }) => !isAway(agents.get(agentId))));
  const eligible = present.filter(({ agentId }) => eligibleIds.has(agentId));
  const chosen = highestOf(eligible, lowestCredit(present));
  if (chosen === null) return null;
  const arithmetic = creditSteps(eligible, lowestCredit(present), chosen);
  return {
    chosen,
    arithmetic,
    changes: [...keptCredits(team, arithmetic), ...forgottenCredits(team, agents)],
  };
}

/** Credits lie within a cycle's worth on either side of zero, so two of them never differ by more than two. */
function clampToCycle(present: readonly TeamMember[]): TeamMember[] {
  const cycle = present.reduce((sum, { weight }) => sum + weight, 0);
  const lowest = Math.max(...present.map(({ credit }) => credit ?? -Infinity)) - 2 * cycle;
  return present.map((member) => {
    const { credit } = member;
    return credit === null ? member : { ...member, credit: Math.max(credit, lowest) };
  });
}

function highestOf(eligible: readonly TeamMember[], startingCredit: number): string | null {
  let highest: { agentId: string; claim: number } | null = null;
  for (const { agentId, credit, weight } of eligible) {
    const claim = (credit ?? startingCredit) + weight;
    if (highest === null || claim > highest.claim) highest = { agentId, claim };
  }
  return highest?.agentId ?? null;
}

function creditSteps(
  eligible: readonly TeamMember[],
  startingCredit: number,
  chosen: string,
): CreditStep[] {
  const price = eligible.reduce((sum, { weight }) => sum + weight, 0);
  return eligible.map(({ agentId, weight, credit }) => {
    const creditBefore = credit ?? startingCredit;
    const paid = agentId === chosen ? price : 0;
    return { agentId, creditBefore, weight, creditAfter: creditBefore + weight - paid };
  });
}

function lowestCredit(members: readonly TeamMember[]): number {
  const credits = members.flatMap(({ credit }) => (credit === null ? [] : [credit]));
  return credits.length === 0 ? 0 : Math.min(...credits);
}

function keptCredits({ id: teamId }: Team, arithmetic: readonly CreditStep[]): CreditChange[] {
  return arithmetic.map(({ agentId, creditAfter }) => ({ teamId, agentId, credit: creditAfter }));
}

function forgottenCredits(
  { id: teamId, members }: Team,
  agents: ReadonlyMap<string, RosterAgent>,
): CreditChange[] {
  return members
    .filter(({ agentId, credit }) => credit !== null && isAway(agents.get(agentId)))
    .map(({ agentId }) => ({ teamId, agentId, credit: null }));
}
