import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** Ends a try of an activity that is to come again after just that time; nothing is wrong with the worker. */
export function comeAgain(type: string, delayMs: number, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}
