import '../support/quiet-temporal.ts';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Worker,
  type BundleOptions,
  type InjectedSinks,
} from '@temporalio/worker';
import type { Sinks } from '@temporalio/workflow';
import type { SavedHistory } from './saved-histories.ts';

const logger = new DefaultLogger('ERROR', () => undefined);

/**
 * Replays histories in this process on a bundle of its own, one after the other, and gives the SDK's error for each,
 * or none.
 */
export async function* replayErrors(
  bundle: BundleOptions,
  histories: Iterable<SavedHistory>,
  sinks: InjectedSinks<Sinks> = {},
): AsyncGenerator<Error | undefined> {
  const workflowBundle = await bundleWorkflowCode({ ...bundle, logger });
  for await (const { error } of Worker.runReplayHistories({ workflowBundle, sinks }, histories))
    yield error;
}
