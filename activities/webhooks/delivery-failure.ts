import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { assertNever } from '../../domain/assert-never.ts';
import type { NextStep } from '../../domain/webhooks/next-step.ts';
import { waitText } from './wait-text.ts';

/** What a try throws: its message is what the workflow's page shows of the pending activity. */
export function failureOf(
  step: Exclude<NextStep, { kind: 'delivered' }>,
  text: string,
): ApplicationFailure {
  switch (step.kind) {
    case 'retry':
      return ApplicationFailure.create({
        type: 'TryFailed',
        message: `${text}; the next try comes in ${waitText(step.delayMs)}.`,
        nextRetryDelay: step.delayMs,
        category: ApplicationFailureCategory.BENIGN,
      });
    case 'give_up':
      return forGood(step.reason);
    default:
      return assertNever(step);
  }
}

export function forGood(reason: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(reason, 'DeliveryFailed');
}

export function itsTurnComes(waitMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'WaitsItsTurn',
    message: `The endpoint has as many calls open as it may have; this one asks again in ${waitText(waitMs)}.`,
    nextRetryDelay: waitMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}
