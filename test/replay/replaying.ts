import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type BundleOptions,
  type InjectedSinks,
  type ReplayResult,
} from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { SavedHistory } from './saved-histories.ts';

const logger = new DefaultLogger('ERROR', () => undefined);

// The outcome reports a failure; the SDK would also print it for each event.
Runtime.install({ logger, telemetryOptions: { logging: { filter: 'OFF' } } });

export type Outcome = Pick<SavedHistory, 'scenario'> & Pick<ReplayResult, 'error'>;

interface ReplayOptions {
  bundle?: Partial<BundleOptions>;
  sinks?: InjectedSinks<Sinks>;
}

/**
 * Runs workflow code against histories, one after the other; each has to issue the commands that its
 * history holds. A replay worker keeps the least cache that there is, so nothing is left of one history
 * when the next begins.
 */
export async function replay(
  workflows: URL,
  histories: readonly SavedHistory[],
  { bundle, sinks }: ReplayOptions = {},
): Promise<Outcome[]> {
  const workflowsPath = fileURLToPath(workflows);
  const workflowBundle = await bundleWorkflowCode({ ...bundle, workflowsPath, logger });
  const results = Worker.runReplayHistories({ workflowBundle, sinks }, histories);
  const outcomes: Outcome[] = [];
  for await (const { error } of results)
    outcomes.push({ scenario: histories[outcomes.length]?.scenario ?? '', error });
  return outcomes;
}
