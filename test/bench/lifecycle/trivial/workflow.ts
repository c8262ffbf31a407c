import { defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import {
  BEGIN_SIGNAL,
  trivialQueues,
  type FirstActivities,
  type SecondActivities,
} from './messages.ts';

const begin = defineSignal(BEGIN_SIGNAL);

const { first, last } = proxyActivities<FirstActivities>({ startToCloseTimeout: '10 seconds' });
const { second } = proxyActivities<SecondActivities>({
  startToCloseTimeout: '10 seconds',
  taskQueue: trivialQueues.second,
});

/**
 * The least that a lead could cost over its whole run: an activity, a second one on another queue beside a
 * timer, and a last one when the timer expired.
 */
export async function Trivial(openForMs: number): Promise<void> {
  setHandler(begin, () => undefined);
  await first();
  await Promise.all([second(), sleep(openForMs)]);
  await last();
}
