import { ActivityFailure, ApplicationFailure, rootCause, TimeoutFailure } from '@temporalio/common';
import {
  CancellationScope,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { DncrActivities } from '../activities/dncr/dncr-activities.ts';
import { existingOnly, searchAttributes } from './contracts/search-attributes.ts';
import type { DncrCheckInput, DncrCheckResult } from './contracts/dncr-check.ts';
import { escapeMarkdown } from './contracts/web-ui-page.ts';

type DncrPlan = Awaited<ReturnType<DncrActivities['readDncrCache']>>;

/** Local activities, so that the queue's rate limit counts only calls of the registry. */
const local = (summary: string) =>
  proxyLocalActivities<DncrActivities>({
    summary,
    startToCloseTimeout: '5 seconds',
    scheduleToCloseTimeout: '10 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '1 second' },
  });

const { readDncrCache } = local('read the cache');
const { storeDncrAnswers } = local('store the answers');
const { abandonDncrCheck } = local('release the leased numbers');

export async function DncrCheck(input: DncrCheckInput): Promise<DncrCheckResult> {
  try {
    const plan = await readDncrCache(input);
    const client = { key: searchAttributes.oauthClientId, value: plan.oauthClientId };
    const attributes = existingOnly([client], plan);
    if (attributes.length > 0) upsertSearchAttributes(attributes);
    if (plan.remaining > 0) await askRegistry(input, plan);
    const stored = await storeDncrAnswers(input);
    setCurrentDetails(`**Answered.**\n\n${listCounts(stored)}`);
    return stored;
  } catch (error) {
    await CancellationScope.nonCancellable(() => abandonDncrCheck(input));
    if (isCancellation(error)) throw error;
    const reason = describeError(error);
    setCurrentDetails(`**No answer.** ${escapeMarkdown(reason)}`);
    throw ApplicationFailure.nonRetryable(reason, 'DncrCheckFailed');
  }
}

/** Eager dispatch would bypass the rate limit of the queue. */
async function askRegistry(
  input: DncrCheckInput,
  { remaining, maxAttempts, attemptTimeoutMs, scheduleToCloseMs }: DncrPlan,
) {
  setCurrentDetails(`**Asking** the registry for ${formatCount(remaining)}.`);
  const { askDncrRegistry } = proxyActivities<DncrActivities>({
    summary: `ask the registry for ${formatCount(remaining)}`,
    startToCloseTimeout: attemptTimeoutMs + 1000,
    scheduleToCloseTimeout: scheduleToCloseMs,
    allowEagerDispatch: false,
    retry: {
      maximumAttempts: maxAttempts,
      initialInterval: 200,
      backoffCoefficient: 2,
      maximumInterval: 2000,
    },
  });
  const { transactionId } = await askDncrRegistry(input);
  if (transactionId !== null)
    setCurrentDetails(`Registry transaction ${escapeMarkdown(transactionId)}.`);
}

function formatCount(count: number): string {
  return count === 1 ? '1 number' : `${count} numbers`;
}

function listCounts(stored: DncrCheckResult): string {
  const lines = Object.entries(stored).map(([status, count]) => `- ${status}: ${count}`);
  return lines.length > 0 ? lines.join('\n') : 'All from the cache.';
}

function describeError(error: unknown): string {
  const isTimeout = error instanceof ActivityFailure && error.cause instanceof TimeoutFailure;
  return isTimeout ? 'No answer came in time.' : String(rootCause(error));
}
