import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** Ends an attempt of an activity that Temporal retries after just that time; nothing is wrong with the worker. */
export function retryAfter(type: string, delayMs: number, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}
