import { factFound, holds } from './condition.ts';
import type { FailedCondition } from './explanation.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { Rule } from './rule-schema.ts';

export type Match = { matched: true } | { matched: false; failed: FailedCondition[] };

/** `when` is an OR of ANDs. A miss tells, of each alternative, the first condition that failed. */
export function matchRule({ when }: Rule, facts: LeadFacts): Match {
  if (when.length === 0) return { matched: true };
  const failed: FailedCondition[] = [];
  for (const alternative of when) {
    const condition = alternative.find((each) => !holds(each, facts));
    if (!condition) return { matched: true };
    const { field, op, values } = condition;
    failed.push({ field, op, wanted: values, found: factFound(field, facts) });
  }
  return { matched: false, failed };
}
