import { matchRule } from './match-rule.ts';
import type { LeadFacts } from './lead-facts.ts';
import { rulesInOrder } from './rule-order.ts';
import type { Rule, Ruleset } from './rule-schema.ts';

/** What a decision could touch. */
export interface Candidates {
  teamIds: string[];
  /** Agents named by a rule itself; the members of the teams come on top. */
  agentIds: string[];
}

/**
 * The teams and agents that `decide` could touch for these facts, so that just those rows are
 * locked before anyone's load is read. It may name more than the decision will use, never fewer.
 */
export function candidates(facts: LeadFacts, ruleset: Ruleset): Candidates {
  const reachable = reachableRules(facts, ruleset);
  const targets = reachable.map(({ target }) => target);
  return {
    teamIds: unique(targets.flatMap((each) => (each.kind === 'team' ? [each.teamId] : []))),
    agentIds: unique(targets.flatMap((each) => (each.kind === 'agent' ? [each.agentId] : []))),
  };
}

function reachableRules(facts: LeadFacts, ruleset: Ruleset): Rule[] {
  const matching = rulesInOrder(ruleset, facts)
    .map(({ rule }) => rule)
    .filter((rule) => matchRule(rule, facts).matched);
  const last = matching.findIndex(alwaysEnds);
  return last < 0 ? matching : matching.slice(0, last + 1);
}

function alwaysEnds({ target, onExhausted }: Rule): boolean {
  return target.kind === 'pool' || onExhausted.kind !== 'next';
}

function unique(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}
