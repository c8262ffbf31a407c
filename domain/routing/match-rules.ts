import { claimsLead } from './claims.ts';
import { factFound, holds } from './condition.ts';
import type { FailedCondition } from './explanation.ts';
import type { LeadFacts } from './lead-facts.ts';
import { leaveOf, type Rule, type Ruleset } from './rule-schema.ts';

export interface RankedRule {
  rule: Rule;
  claimed: boolean;
}

export type Match =
  { kind: 'matched' } | { kind: 'failed'; failed: FailedCondition[] } | { kind: 'not_reached' };

/** What a decision needs of the rules: each is matched once, before anyone is locked or read. */
export interface MatchedRules {
  facts: LeadFacts;
  /** Every enabled rule in the order in which they are tried. */
  rules: (RankedRule & { match: Match })[];
}

/** A rule that surely ends the decision leaves all later ones unmatched. */
export function matchRules(facts: LeadFacts, ruleset: Ruleset): MatchedRules {
  let hasEnded = false;
  const rules = rulesInOrder(ruleset, facts).map((ranked) => {
    const match: Match = hasEnded ? { kind: 'not_reached' } : matchRule(ranked.rule, facts);
    hasEnded ||= match.kind === 'matched' && alwaysEnds(ranked.rule);
    return { ...ranked, match };
  });
  return { facts, rules };
}

/** `when` is an OR of ANDs. A miss names, of each alternative, the first condition that failed. */
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
    .toSorted((a, b) => a.order - b.order || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((rule) => ({ rule, claimed: claimsLead(rule.claims, distributionType) }));
  return inOrder.toSorted((a, b) => Number(b.claimed) - Number(a.claimed));
}

/** Whom a decision could touch: the members of these teams and the agents that rules name. */
export interface Candidates {
  teamIds: string[];
  agentIds: string[];
  /** Whether a rule asks how many leads they hold. */
  byLoad: boolean;
}

/** The targets of the matched rules: just their agents are locked before anyone's load is read. */
export function candidatesOf({ rules }: MatchedRules): Candidates {
  return targetsOf(rules.filter(({ match }) => match.kind === 'matched').map(({ rule }) => rule));
}

export function targetsOf(rules: readonly Rule[]): Candidates {
  const targets = rules.map(({ target }) => target);
  const teamIds = targets.flatMap((each) => (each.kind === 'team' ? [each.teamId] : []));
  const agentIds = targets.flatMap((each) => (each.kind === 'agent' ? [each.agentId] : []));
  const byLoad = rules.some(({ strategy }) => strategy === 'least_loaded');
  return { teamIds: [...new Set(teamIds)], agentIds: [...new Set(agentIds)], byLoad };
}
