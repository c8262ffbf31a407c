import { ApplicationFailure } from '@temporalio/common';
import { assertNever } from '../../domain/assert-never.ts';
import type { NextStep } from '../../domain/webhooks/next-step.ts';
import { comeAgain } from '../come-again.ts';
import { waitText } from './wait-text.ts';

/** What a try throws: its message is what the workflow's page shows of the pending activity. */
export function failureOf(
  step: Exclude<NextStep, { kind: 'delivered' }>,
  text: string,
): ApplicationFailure {
  switch (step.kind) {
    case 'retry':
      return comeAgain(
        'TryFailed',
        step.delayMs,
        `${text}; the next try comes in ${waitText(step.delayMs)}.`,
      );
    case 'give_up':
      return forGood(step.reason);
    default:
      return assertNever(step);
  }
}

export function forGood(reason: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(reason, 'DeliveryFailed');
}

export function comesTooEarly(earlyMs: number): ApplicationFailure {
  return comeAgain('ComesTooEarly', earlyMs, `The next try comes in ${waitText(earlyMs)}.`);
}

export function itsTurnComes(waitMs: number): ApplicationFailure {
  return comeAgain(
    'WaitsItsTurn',
    waitMs,
    `The endpoint has as many calls open as it may have; this one asks again in ${waitText(waitMs)}.`,
  );
}
