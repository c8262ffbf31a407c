import { assertNever } from '../../domain/assert-never.ts';
import type { NextStep } from '../../domain/webhooks/next-step.ts';
import type { CallResult, Outcome } from '../../domain/webhooks/outcome.ts';
import type { AfterFailure, AttemptRow } from '../../store/webhooks/record-attempt.ts';
import type { DeliveryInput } from '../../workflows/contracts/webhook-delivery.ts';

/** What is kept of an attempt that began `at`. */
export function attemptRow(
  { eventId, endpointId, generation }: DeliveryInput,
  answer: CallResult,
  outcome: Outcome,
  at: Date,
): AttemptRow {
  const hasAnswer = answer.kind === 'answered';
  return {
    eventId,
    endpointId,
    generation,
    at,
    statusCode: hasAnswer ? answer.status : null,
    latencyMs: answer.latencyMs,
    error: outcome.kind === 'failed' ? outcome.error : null,
    responseHead: hasAnswer ? answer.head : null,
  };
}

/** The delivery and its endpoint after an attempt that did not arrive and ended `endedAt`. */
export function afterFailure(
  step: Exclude<NextStep, { kind: 'delivered' }>,
  endedAt: Date,
): AfterFailure {
  const { failingSince } = step;
  switch (step.kind) {
    case 'retry': {
      const nextAttemptAt = new Date(endedAt.getTime() + step.delayMs);
      return {
        status: 'pending',
        nextAttemptAt,
        failureReason: null,
        failingSince,
        switchOff: null,
      };
    }
    case 'give_up': {
      const { reason: failureReason, switchOff } = step;
      return { status: 'failed', nextAttemptAt: null, failureReason, failingSince, switchOff };
    }
    default:
      return assertNever(step);
  }
}
