import { assertNever } from '../../domain/assert-never.ts';
import type { NextStep } from '../../domain/webhooks/next-step.ts';
import type { Answer, Outcome } from '../../domain/webhooks/outcome.ts';
import type { AfterAttempt, AttemptRow } from '../../store/webhooks/record-attempt.ts';
import type { DeliveryInput } from '../../workflows/messages.ts';

/** What is kept of an attempt that began `at` and ended `endedAt`. */
export function rowsOf(
  { eventId, endpointId, generation }: DeliveryInput,
  answer: Answer,
  outcome: Outcome,
  step: NextStep,
  at: Date,
  endedAt: Date,
): { attempt: AttemptRow; after: AfterAttempt } {
  const hasAnswer = answer.kind === 'answered';
  const attempt: AttemptRow = {
    eventId,
    endpointId,
    generation,
    at,
    statusCode: hasAnswer ? answer.status : null,
    latencyMs: answer.latencyMs,
    error: outcome.kind === 'failed' ? outcome.error : null,
    responseHead: hasAnswer ? answer.head : null,
  };
  return { attempt, after: afterOf(step, endedAt) };
}

function afterOf(step: NextStep, endedAt: Date): AfterAttempt {
  const nothing = { nextAttemptAt: null, failureReason: null, failingSince: null, switchOff: null };
  switch (step.kind) {
    case 'delivered':
      return { ...nothing, status: 'delivered' };
    case 'retry': {
      const nextAttemptAt = new Date(endedAt.getTime() + step.delayMs);
      return { ...nothing, status: 'pending', nextAttemptAt, failingSince: step.failingSince };
    }
    case 'give_up': {
      const { reason: failureReason, failingSince, switchOff } = step;
      return { ...nothing, status: 'failed', failureReason, failingSince, switchOff };
    }
    default:
      return assertNever(step);
  }
}
