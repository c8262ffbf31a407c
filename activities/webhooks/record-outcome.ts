import { decideNextStep } from '../../domain/webhooks/next-step.ts';
import type { NextStep } from '../../domain/webhooks/next-step.ts';
import { classifyCall } from '../../domain/webhooks/outcome.ts';
import type { CallResult } from '../../domain/webhooks/outcome.ts';
import type { LoadedDelivery } from '../../store/webhooks/load-delivery.ts';
import { createBatcher } from '../../store/db/batcher.ts';
import { recordDelivered, recordFailure } from '../../store/webhooks/record-attempt.ts';
import type { AttemptRow } from '../../store/webhooks/record-attempt.ts';
import type { DeliveryInput } from '../../workflows/contracts/webhook-delivery.ts';
import { afterFailure, attemptRow } from './attempt-rows.ts';
import { attemptFailed, ended, failureText } from './attempt-result.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { WebhookContext } from './context.ts';

/** Records an attempt that began `at`, with what follows from it for the delivery and its endpoint. */
export function createRecordOutcome(context: WebhookContext) {
  const { database, config, log, now, random = Math.random } = context;
  const scheduleMs = config.webhooks.retryDelaysMs;
  const recordArrived = createBatcher((attempts: readonly AttemptRow[]) =>
    recordDelivered(database, attempts),
  );

  function logFailure(input: DeliveryInput, step: NextStep): void {
    if (step.kind !== 'give_up') return;
    const { endpointId, eventId, oauthClientId } = input;
    const about = { endpointId, eventId, oauthClientId, reason: step.reason };
    if (step.switchOff === null) log.warn(about, 'webhook delivery failed for good');
    else log.error(about, 'webhook endpoint switched off until leadctl webhook enable');
  }

  return async (
    input: DeliveryInput,
    delivery: LoadedDelivery,
    answer: CallResult,
    at: Date,
  ): Promise<AttemptResult> => {
    const outcome = classifyCall(answer, now());
    const attempts = delivery.attempts + 1;
    const facts = { outcome, attempt: attempts, at, jitter: random(), scheduleMs };
    const step = decideNextStep({ ...facts, health: delivery });
    const row = attemptRow(input, answer, outcome, at);
    const isRecorded =
      step.kind === 'delivered'
        ? await recordArrived(row)
        : await recordFailure(database, row, afterFailure(step, now()));
    if (!isRecorded) return ended(input, 'superseded', attempts, 'It was sent again meanwhile.');
    logFailure(input, step);
    if (step.kind === 'delivered') return ended(input, 'delivered', attempts, outcome.text);
    if (step.kind === 'give_up') return ended(input, 'failed', attempts, step.reason);
    const failure = failureText(delivery, attempts, scheduleMs.length + 1, outcome.text);
    return attemptFailed(input, attempts, failure, step.delayMs);
  };
}
