import { log } from '@temporalio/activity';
import { assertNever } from '../../domain/assert-never.ts';
import { decideNextStep, type NextStep } from '../../domain/webhooks/next-step.ts';
import { classifyCall, type CallResult, type Outcome } from '../../domain/webhooks/outcome.ts';
import { createBatcher } from '../../store/db/batcher.ts';
import type { LoadedDelivery } from '../../store/webhooks/load-delivery.ts';
import {
  recordDelivered,
  recordFailure,
  type AfterFailure,
  type AttemptRow,
} from '../../store/webhooks/record-attempt.ts';
import type { DeliveryInput } from '../../workflows/contracts/webhook-delivery.ts';
import type { WebhookContext } from '../context.ts';
import { attemptFailed, ended, failureText, type AttemptResult } from './attempt-result.ts';

/** Records an attempt that began `at`, and what follows from it for the delivery and its endpoint. */
export function createRecordOutcome(context: WebhookContext) {
  const { database, config, now, random = Math.random } = context;
  const scheduleMs = config.webhooks.retryDelaysMs;
  const recordArrived = createBatcher((attempts: readonly AttemptRow[]) =>
    recordDelivered(database, attempts),
  );
  return async (
    input: DeliveryInput,
    delivery: LoadedDelivery,
    result: CallResult,
    at: Date,
  ): Promise<AttemptResult> => {
    const outcome = classifyCall(result, now());
    const attempts = delivery.attempts + 1;
    const facts = { outcome, attempt: attempts, at, jitter: random(), scheduleMs };
    const step = decideNextStep({ ...facts, health: delivery });
    const row = buildAttemptRow(input, result, outcome, at);
    const isRecorded =
      step.kind === 'delivered'
        ? await recordArrived(row)
        : await recordFailure(database, row, afterFailure(step, now()));
    if (!isRecorded) return ended(input, 'superseded', attempts, 'It was sent again meanwhile.');
    if (step.kind === 'delivered') return ended(input, 'delivered', attempts, outcome.text);
    if (step.kind === 'retry') {
      const failure = failureText(delivery, attempts, scheduleMs.length + 1, outcome.text);
      return attemptFailed(input, attempts, failure, step.delayMs);
    }
    logFailedDelivery(input, step);
    return ended(input, 'failed', attempts, step.reason);
  };
}

function logFailedDelivery(
  { endpointId, eventId, oauthClientId }: DeliveryInput,
  { reason, switchOff }: Extract<NextStep, { kind: 'give_up' }>,
): void {
  const attributes = { endpointId, eventId, oauthClientId, reason };
  if (switchOff === null) log.warn('webhook delivery failed for good', attributes);
  else log.error('webhook endpoint switched off until leadctl webhook enable', attributes);
}

function buildAttemptRow(
  { eventId, endpointId, generation }: DeliveryInput,
  result: CallResult,
  outcome: Outcome,
  at: Date,
): AttemptRow {
  const hasResponse = result.kind === 'responded';
  return {
    ...{ eventId, endpointId, generation, at },
    statusCode: hasResponse ? result.status : null,
    latencyMs: result.latencyMs,
    error: outcome.kind === 'failed' ? outcome.error : null,
    responseHead: hasResponse ? result.bodyPrefix : null,
  };
}

/** The delivery and its endpoint after a failed attempt that ended `endedAt`. */
function afterFailure(step: Exclude<NextStep, { kind: 'delivered' }>, endedAt: Date): AfterFailure {
  const { failingSince } = step;
  switch (step.kind) {
    case 'retry': {
      const nextAttemptAt = new Date(endedAt.getTime() + step.delayMs);
      const pending = { status: 'pending', failureReason: null, switchOff: null } as const;
      return { ...pending, nextAttemptAt, failingSince };
    }
    case 'give_up': {
      const { reason: failureReason, switchOff } = step;
      return { status: 'failed', nextAttemptAt: null, failureReason, failingSince, switchOff };
    }
    default:
      return assertNever(step);
  }
}
