import { claimsLead } from './claims.ts';
import type { Rule, Ruleset } from './rule-schema.ts';

export interface RankedRule {
  rule: Rule;
  claimed: boolean;
}

/**
 * Enabled rules in the order in which they are tried: those that claim the lead's distributionType,
 * then all others. A rule with claims takes part in the normal order for leads it does not claim.
 */
export function rulesInOrder(
  { rules }: Ruleset,
  { distributionType }: { distributionType: string | null },
): RankedRule[] {
  const inOrder = rules
    .filter(({ enabled }) => enabled)
    .toSorted(byOrderThenName)
    .map((rule) => ranked(rule, distributionType));
  return [
    ...inOrder.filter(({ claimed }) => claimed),
    ...inOrder.filter(({ claimed }) => !claimed),
  ];
}

export function ranked(rule: Rule, distributionType: string | null): RankedRule {
  return { rule, claimed: claimsLead(rule.claims, distributionType) };
}

function byOrderThenName(a: Rule, b: Rule): number {
  if (a.order !== b.order) return a.order - b.order;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
