import { readRulesetEntry } from '../../store/routing/ruleset-versions.ts';
import type { RulesetEntry } from '../../store/routing/ruleset-versions.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';

/** The active one without a version. */
export async function existingRuleset(operator: Operator, version?: number): Promise<RulesetEntry> {
  const ruleset = await readRulesetEntry(await operator.database(), version);
  if (!ruleset) {
    throw new OperatorError(`There is no ruleset ${version}; see leadctl rules versions.`);
  }
  return ruleset;
}
