import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DncrActivities } from '../activities/dncr/dncr-activities.ts';
import { searchAttributes } from './contracts/search-attributes.ts';
import type { DncrCheckInput, DncrPlan, DncrCheckResult } from './contracts/dncr-check.ts';

/**
 * Local, so that the task queue carries nothing but questions to the registry: its rate limit is then
 * the registry's.
 */
const local = (summary: string) =>
  proxyLocalActivities<DncrActivities>({
    summary,
    startToCloseTimeout: '5 seconds',
    scheduleToCloseTimeout: '10 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '1 second' },
  });

const { readDncrCache } = local('look into the cache');
const { storeDncrAnswers } = local('store the answers');
const { abandonDncrCheck } = local('give the numbers back');

/** Asks the registry for the numbers that a check has claimed; the input is an id, no number. */
export async function DncrCheck(input: DncrCheckInput): Promise<DncrCheckResult> {
  try {
    const plan = await readDncrCache(input);
    upsertSearchAttributes([{ key: searchAttributes.oauthClientId, value: plan.oauthClientId }]);
    if (plan.remaining > 0) await ask(input, plan);
    const stored = await storeDncrAnswers(input);
    setCurrentDetails(`**Answered.**\n\n${counts(stored)}`);
    return stored;
  } catch (error) {
    await CancellationScope.nonCancellable(() => abandonDncrCheck(input));
    if (isCancellation(error)) throw error;
    const reason = reasonOf(error);
    setCurrentDetails(`**No answer.** ${reason}`);
    throw ApplicationFailure.nonRetryable(reason, 'DncrCheckFailed');
  }
}

/** Not dispatched eagerly: that would pass by the rate limit of the queue. */
async function ask(input: DncrCheckInput, { remaining, tries, tryMs, askMs }: DncrPlan) {
  setCurrentDetails(`**Asking** the registry for ${numbers(remaining)}.`);
  const { askDncrRegistry } = proxyActivities<DncrActivities>({
    summary: `ask the registry for ${numbers(remaining)}`,
    startToCloseTimeout: tryMs + 1000,
    scheduleToCloseTimeout: askMs,
    allowEagerDispatch: false,
    retry: {
      maximumAttempts: tries,
      initialInterval: 200,
      backoffCoefficient: 2,
      maximumInterval: 2000,
    },
  });
  const { transactionId } = await askDncrRegistry(input);
  if (transactionId !== null) setCurrentDetails(`Registry transaction \`${transactionId}\`.`);
}

function numbers(count: number): string {
  return count === 1 ? '1 number' : `${count} numbers`;
}

function counts(stored: DncrCheckResult): string {
  const lines = Object.entries(stored).map(([status, count]) => `- ${status}: ${count}`);
  return lines.length > 0 ? lines.join('\n') : 'All from the cache.';
}

function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? (error.cause ?? error) : error;
  if (cause instanceof TimeoutFailure) return 'No answer came in time.';
  return cause instanceof Error ? cause.message : String(cause);
}
