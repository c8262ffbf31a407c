import { ApplicationFailure } from '@temporalio/common';
import type { DeliveryInput, DeliveryReport } from '../../workflows/contracts/webhook-delivery.ts';
import { retryAfter } from '../retry-after.ts';
import type { DeliveryAttempts } from './attempt-delivery.ts';

/**
 * The retry schedule of one delivery: each attempt that fails names the delay of the next one, and the last
 * one fails the activity. Its first attempt begins during the pause after the delivery's first attempt, so
 * that the activity's attempts are numbered as those of the delivery.
 */
export function createRetryWebhook({ attempt }: DeliveryAttempts) {
  return async (input: DeliveryInput): Promise<DeliveryReport> => {
    const { report, next } = await attempt(input);
    if (next) throw retryAfter(next.type, next.delayMs, report.detail);
    if (report.outcome === 'failed')
      throw ApplicationFailure.nonRetryable(report.detail, 'DeliveryFailed');
    return report;
  };
}
