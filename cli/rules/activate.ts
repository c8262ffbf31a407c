import { activateRuleset } from '../../store/routing/ruleset-versions.ts';
import type { Operator } from '../operator.ts';
import { count } from '../text.ts';
import { existingRuleset } from './existing-ruleset.ts';

/** Rolls back, or forward: the next decision goes by that version; decisions made stay as they are. */
export async function activateVersion(operator: Operator, version: number): Promise<void> {
  const { rules } = await existingRuleset(operator, version);
  const database = await operator.database();
  const { author } = operator;
  const changed = await activateRuleset(database, { version, author, now: operator.now() });
  operator.show({ version, rules: rules.length, changed }, () =>
    changed
      ? `Ruleset ${version} with ${count(rules.length, 'rule')} is active from the next decision on.`
      : `Ruleset ${version} is active already.`,
  );
}
