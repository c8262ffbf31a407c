import { nextStep } from '../../domain/webhooks/next-step.ts';
import type { NextStep } from '../../domain/webhooks/next-step.ts';
import { outcomeOf } from '../../domain/webhooks/outcome.ts';
import type { Answer } from '../../domain/webhooks/outcome.ts';
import type { LoadedDelivery } from '../../store/webhooks/load-delivery.ts';
import { recordAttempt } from '../../store/webhooks/record-attempt.ts';
import type { DeliveryInput } from '../../workflows/messages.ts';
import type { DeliveryReport, WebhookContext } from '../deliver-webhook.ts';
import { rowsOf } from './attempt-rows.ts';
import { failureOf } from './delivery-failure.ts';

/** Records a try that began `at` and acts on what it came to. */
export function createConclude(context: WebhookContext) {
  const { database, config, log, now, random = Math.random } = context;
  const scheduleMs = config.webhooks.retryDelaysMs;

  function tellOperator(input: DeliveryInput, step: NextStep): void {
    if (step.kind !== 'give_up') return;
    const { endpointId, eventId, oauthClientId } = input;
    const about = { endpointId, eventId, oauthClientId, reason: step.reason };
    if (step.switchOff === null) log.warn(about, 'webhook delivery failed for good');
    else log.error(about, 'webhook endpoint switched off until leadctl webhook enable');
  }

  return async (
    input: DeliveryInput,
    delivery: LoadedDelivery,
    answer: Answer,
    at: Date,
  ): Promise<DeliveryReport> => {
    const outcome = outcomeOf(answer, now());
    const attempts = delivery.attempts + 1;
    const facts = { outcome, attempt: attempts, at, jitter: random(), scheduleMs };
    const step = nextStep({ ...facts, health: delivery });
    const rows = rowsOf(input, answer, outcome, step, at, now());
    await recordAttempt(database, rows.attempt, rows.after);
    if (step.kind === 'delivered') return reportOf({ ...delivery, attempts }, outcome.text);
    tellOperator(input, step);
    const tries = `Try ${attempts} of ${scheduleMs.length + 1}`;
    throw failureOf(step, `${tries} to ${hostOf(delivery)}: ${outcome.text}`);
  };
}

export function reportOf(delivery: LoadedDelivery, outcome: string): DeliveryReport {
  return { host: hostOf(delivery), attempts: delivery.attempts, outcome };
}

function hostOf({ url }: { url: string }): string {
  return new URL(url).host;
}
