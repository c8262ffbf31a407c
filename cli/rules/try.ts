import { routingDefaults } from '../../domain/routing/decision.ts';
import { readRecordNames } from '../../store/routing/record-names.ts';
import type { Since } from '../arguments.ts';
import type { Operator } from '../operator.ts';
import { tryText } from '../views/rules-try.ts';
import { readRules } from './read-rules.ts';
import { replayPast } from './replay-past.ts';

/** What would have changed if these rules had been active. */
export async function tryRules(
  operator: Operator,
  file: string,
  options: { since: Since; sample: number },
): Promise<void> {
  const database = await operator.database();
  const ruleset = await readRules(operator, file);
  const since = options.since(operator.now());
  const replay = await replayPast(database, {
    ruleset,
    since,
    defaults: routingDefaults(operator.config),
    sampleSize: options.sample,
  });
  const names = await readRecordNames(database, replay);
  const view = { file, since, rules: ruleset.rules.length, ...replay };
  operator.show({ ...view, names: Object.fromEntries(names) }, () => tryText(view, names));
}
