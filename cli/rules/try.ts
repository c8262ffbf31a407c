import { routingDefaults } from '../../domain/routing/decision.ts';
import { readRecordNames } from '../../store/routing/record-names.ts';
import type { Operator } from '../operator.ts';
import { readRules } from './read-rules.ts';
import { replayPast } from './replay-past.ts';
import { tryText } from './try-text.ts';

export interface TryOptions {
  since: number;
  sample: number;
}

/** What would change if these rules had been active. */
export async function tryRules(
  operator: Operator,
  file: string,
  options: TryOptions,
): Promise<void> {
  const view = await readView(operator, file, options);
  operator.show({ ...view, names: Object.fromEntries(view.names) }, () => tryText(view));
}

export type TryView = Awaited<ReturnType<typeof readView>>;

async function readView(operator: Operator, file: string, { since: sinceMs, sample }: TryOptions) {
  const database = await operator.database();
  const ruleset = await readRules(operator, file);
  const since = new Date(operator.now().getTime() - sinceMs);
  const replay = await replayPast(database, {
    ruleset,
    since,
    defaults: routingDefaults(operator.config),
    sampleSize: sample,
  });
  const names = await readRecordNames(database, replay);
  return { file, since, rules: ruleset.rules.length, ...replay, names };
}
