import { replayHistories, type Outcome } from '../../dev/replay/replay-histories.ts';
import './replaying.ts';
import { savedHistories } from './saved-histories.ts';

/** A history's JSON by its name. */
export type NamedHistories = Readonly<Record<string, string>>;

/** Replays histories as `npm run replay` does, on the service's workflows or on these; gives each outcome by its name. */
export async function outcomesOf(named: NamedHistories, workflows?: URL) {
  const outcomes = new Map<string, Outcome>();
  const onOutcome = (outcome: Outcome) => void outcomes.set(outcome.name, outcome);
  const histories = Object.entries(named).map(([name, json]) => ({
    name,
    read: () => Promise.resolve(json),
  }));
  await replayHistories(histories, onOutcome, workflows);
  return outcomes;
}

/** Whether they do on the workflows as they are; not where these do not compile. */
export async function doSavedHistoriesReplay(): Promise<boolean> {
  const saved = (await savedHistories()).map(({ scenario, json }) => [scenario, json]);
  const outcomes = await outcomesOf(Object.fromEntries(saved)).catch(() => null);
  return outcomes !== null && [...outcomes.values()].every(({ difference }) => difference === null);
}
