import type { Rule } from '../../domain/routing/rule-schema.ts';
import type { Sql } from '../../store/db/database.ts';
import type { CurrentAssignment } from '../../store/assignment/lock-lead.ts';
import type { ActivityContext } from '../context.ts';

/** The rule that decided the current assignment, in its own ruleset; null where no rule did. */
export async function readAssigningRule(
  { rulesets }: ActivityContext,
  sql: Sql,
  current: CurrentAssignment | null,
): Promise<Rule | null> {
  if (!current?.ruleName || current.rulesetVersion === null) return null;
  const { rules } = await rulesets.byVersion(sql, current.rulesetVersion);
  return rules.find(({ name }) => name === current.ruleName) ?? null;
}
