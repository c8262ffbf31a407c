import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/**
 * Ends an attempt of an activity that Temporal retries after just that time. Nothing is wrong with the
 * worker, so the failure that the operator reads has no stack trace.
 */
export function retryAfter(type: string, delayMs: number, message: string): ApplicationFailure {
  const failure = ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
  failure.stack = '';
  return failure;
}
