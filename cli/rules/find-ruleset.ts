import { readRulesetEntry, type RulesetEntry } from '../../store/routing/rulesets.ts';
import { OperatorError, type Operator } from '../operator.ts';

/** The active ruleset unless a version is named. */
export async function findRuleset(operator: Operator, version?: number): Promise<RulesetEntry> {
  const ruleset = await readRulesetEntry(await operator.database(), version);
  if (ruleset) return ruleset;
  throw new OperatorError(`There is no ruleset ${version}; see leadctl rules versions.`);
}
