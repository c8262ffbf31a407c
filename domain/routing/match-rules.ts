import { isDistributionType, normaliseDistributionType } from '../leads/distribution-type.ts';
import { factFound, holds, type FailedCondition, type LeadFacts } from './condition.ts';
import { leaveOf, type Rule, type Ruleset } from './rules.ts';

export type Match =
  { kind: 'matched' } | { kind: 'failed'; failed: FailedCondition[] } | { kind: 'not_reached' };

export type MatchedRules = ReturnType<typeof matchRules>;

/** Rules after one that surely ends the decision are not matched. */
export function matchRules(facts: LeadFacts, ruleset: Ruleset) {
  let hasEnded = false;
  const rules = rulesInOrder(ruleset, facts).map((ranked) => {
    const match: Match = hasEnded ? { kind: 'not_reached' } : matchRule(ranked.rule, facts);
    hasEnded ||= match.kind === 'matched' && alwaysEnds(ranked.rule);
    return { ...ranked, match };
  });
  return { facts, rules };
}

/** `when` is an OR of ANDs. `failed` has the first failed condition of each alternative. */
export function matchRule({ when }: Rule, facts: LeadFacts): Match {
  if (when.length === 0) return { kind: 'matched' };
  const failed: FailedCondition[] = [];
  for (const alternative of when) {
    const condition = alternative.find((each) => !holds(each, facts));
    if (!condition) return { kind: 'matched' };
    const { field, op, values } = condition;
    failed.push({ field, op, wanted: values, found: factFound(field, facts) });
  }
  return { kind: 'failed', failed };
}

export function alwaysEnds(rule: Rule): boolean {
  return rule.target.kind === 'pool' || leaveOf(rule).kind !== 'next';
}

/** Rules that claim the lead's distributionType, then all others, also with claims. */
export function rulesInOrder(
  { rules }: Ruleset,
  { distributionType }: { distributionType: string | null },
) {
  const inOrder = rules
    .filter(({ enabled }) => enabled)
    .toSorted((a, b) => a.order - b.order || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((rule) => ({ rule, claimed: claimsLead(rule.claims, distributionType) }));
  return inOrder.toSorted((a, b) => Number(b.claimed) - Number(a.claimed));
}

export type Candidates = ReturnType<typeof candidatesOf>;

/** Only agents of matched rules are locked before loads are read. */
export function candidatesOf({ rules }: MatchedRules) {
  const matched = rules.flatMap(({ rule, match }) => (match.kind === 'matched' ? [rule] : []));
  const targets = matched.map(({ target }) => target);
  const teamIds = targets.flatMap((each) => (each.kind === 'team' ? [each.teamId] : []));
  const agentIds = targets.flatMap((each) => (each.kind === 'agent' ? [each.agentId] : []));
  const byLoad = matched.some(({ strategy }) => strategy === 'least_loaded');
  return { teamIds: [...new Set(teamIds)], agentIds: [...new Set(agentIds)], byLoad };
}

/** The pools in which these rules may leave the lead. */
export function poolsOf({ rules }: MatchedRules): string[] {
  const ends = rules.flatMap(({ rule, match }) =>
    match.kind === 'matched' ? [rule.target, leaveOf(rule)] : [],
  );
  return [...new Set(ends.flatMap((end) => (end.kind === 'pool' ? [end.poolId] : [])))];
}

/** "A rule that claims the value outranks the normal rule order" (distributionType, 3). */
export function claimsLead(claims: readonly string[], distributionType: string | null): boolean {
  if (distributionType === null || !isDistributionType(distributionType)) return false;
  const wanted = normaliseDistributionType(distributionType);
  return claims.some((claim) => normaliseDistributionType(claim) === wanted);
}
