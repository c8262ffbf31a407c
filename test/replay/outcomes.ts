import { fileURLToPath } from 'node:url';
import type { Outcome } from '../../dev/replay/failure.ts';
import { replayHistories } from '../../dev/replay/replay-histories.ts';
import { savedHistories } from './saved-histories.ts';

/** A history's JSON by its name. */
export type NamedHistories = Readonly<Record<string, string>>;

interface Options {
  /** Exports the workflows; without it those of the service. */
  workflows?: URL;
  limitMs?: number;
}

/** Replays histories as `npm run replay` does; gives what became of each, by its name. */
export async function outcomesOf(named: NamedHistories, { workflows, ...options }: Options = {}) {
  const outcomes = new Map<string, Outcome>();
  const onOutcome = (outcome: Outcome) => void outcomes.set(outcome.name, outcome);
  const histories = Object.entries(named).map(([name, json]) => ({
    name,
    read: () => Promise.resolve(json),
  }));
  await replayHistories(
    { histories, count: histories.length },
    { ...options, onOutcome },
    workflows ? { workflowsPath: fileURLToPath(workflows) } : {},
  );
  return outcomes;
}

/** Whether they do on the workflows as they are; not where these do not compile. */
export async function doSavedHistoriesReplay(): Promise<boolean> {
  const saved = (await savedHistories()).map(({ scenario, json }) => [scenario, json]);
  const outcomes = await outcomesOf(Object.fromEntries(saved)).catch(() => null);
  return outcomes !== null && [...outcomes.values()].every(({ failure }) => failure === null);
}
