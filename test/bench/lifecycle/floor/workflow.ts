import {
  defineSignal,
  proxyActivities,
  setHandler,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { searchAttributes } from '../../../../workflows/contracts/search-attributes.ts';
import {
  BEGIN_SIGNAL,
  floorQueues,
  type FirstActivities,
  type SecondActivities,
} from './messages.ts';

const begin = defineSignal(BEGIN_SIGNAL);

const { first, last } = proxyActivities<FirstActivities>({ startToCloseTimeout: '10 seconds' });
const { second } = proxyActivities<SecondActivities>({
  startToCloseTimeout: '10 seconds',
  taskQueue: floorQueues.second,
});

/**
 * The least that a lead could cost over its whole run: an activity, a second one on another queue beside a
 * timer, and a last one when the timer expired, at `endsAtMs` in milliseconds since 1970.
 */
export async function Floor(leadId: string, endsAtMs: number): Promise<void> {
  setHandler(begin, () => undefined);
  const placed = await first(leadId);
  if (placed)
    upsertSearchAttributes([
      { key: searchAttributes.leadStatus, value: placed.status },
      { key: searchAttributes.agent, value: placed.agent },
    ]);
  await Promise.all([second(leadId), sleep(endsAtMs - Date.now())]);
  await last(leadId);
}
