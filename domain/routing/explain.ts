import type { Explanation, RuleOutcome, RuleTrace } from './explanation.ts';
import type { RankedRule } from './rule-order.ts';

export function explain(rules: RuleTrace[]): Explanation {
  return { version: 1, rules };
}

export function traceOf({ rule, claimed }: RankedRule, outcome: RuleOutcome): RuleTrace {
  return { name: rule.name, order: rule.order, claimed, ...outcome };
}
