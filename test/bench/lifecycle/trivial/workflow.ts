import { defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import { BEGIN_SIGNAL, trivialQueues } from './messages.ts';
import type { FirstActivities, SecondActivities } from './messages.ts';

const begin = defineSignal(BEGIN_SIGNAL);

const { first } = proxyActivities<FirstActivities>({ startToCloseTimeout: '10 seconds' });
const { second } = proxyActivities<SecondActivities>({
  startToCloseTimeout: '10 seconds',
  taskQueue: trivialQueues.second,
});

/**
 * The least that a lead could cost: two activities, each on its own queue, the second beside a timer of
 * hours. The run stays open on its timer, as a lead's does, so that neither pays for the end of a run.
 */
export async function Trivial(): Promise<void> {
  setHandler(begin, () => undefined);
  await first();
  await Promise.all([second(), sleep('6 hours')]);
}
