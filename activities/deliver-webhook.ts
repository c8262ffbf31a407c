import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { nextStep } from '../domain/webhooks/next-step.ts';
import type { NextStep } from '../domain/webhooks/next-step.ts';
import { outcomeOf } from '../domain/webhooks/outcome.ts';
import type { Answer } from '../domain/webhooks/outcome.ts';
import type { Database } from '../store/database.ts';
import { loadDelivery } from '../store/webhooks/load-delivery.ts';
import type { LoadedDelivery } from '../store/webhooks/load-delivery.ts';
import { giveUpDelivery, recordAttempt } from '../store/webhooks/record-attempt.ts';
import type { DeliveryInput } from '../workflows/messages.ts';
import { rowsOf } from './webhooks/attempt-rows.ts';
import { createCallEndpoint } from './webhooks/call-endpoint.ts';
import { failureOf, forGood, itsTurnComes } from './webhooks/delivery-failure.ts';
import { createEndpointSlots } from './webhooks/endpoint-slots.ts';
import { whileBeating } from './webhooks/heartbeat.ts';
import { signedHeaders, validSecrets } from './webhooks/sign.ts';

export interface WebhookContext {
  database: Database;
  config: Pick<Config, 'webhooks' | 'secretsKey'>;
  log: Logger;
  now: () => Date;
  /** Spreads the retries: 0 to 1, Math.random unless given. */
  random?: () => number;
}

/** What the workflow's page shows of a delivery that arrived. */
export interface DeliveryReport {
  host: string;
  attempts: number;
  outcome: string;
}

export type DeliverWebhook = (input: DeliveryInput) => Promise<DeliveryReport>;

/** One try of a delivery. Failing, it tells Temporal when the next try is due, or that there is none. */
export function createDeliverWebhook(context: WebhookContext): DeliverWebhook {
  const { database, config, log, now, random = Math.random } = context;
  const call = createCallEndpoint(config.webhooks);
  const slots = createEndpointSlots();

  async function tryOnce(
    input: DeliveryInput,
    called: (answer: Answer) => void,
  ): Promise<DeliveryReport> {
    const delivery = await loadDelivery(database, input.eventId, input.endpointId, now());
    if (delivery === null) throw forGood('There is no such delivery.');
    if (delivery.status === 'delivered') return reportOf(delivery, 'it was delivered before');
    if (delivery.status === 'failed')
      throw forGood(delivery.failureReason ?? 'It was given up before.');
    if (!delivery.enabled) throw await refuse(input, delivery);
    const at = now();
    const answer = await send(input, delivery, at);
    called(answer);
    return conclude(input, delivery, answer, at);
  }

  function send(input: DeliveryInput, delivery: LoadedDelivery, at: Date): Promise<Answer> {
    const secrets = validSecrets(delivery, config.secretsKey, at);
    const headers = signedHeaders(input.eventId, delivery.body, secrets, at);
    return call({ ...delivery, headers }, Context.current().cancellationSignal);
  }

  async function conclude(
    input: DeliveryInput,
    delivery: LoadedDelivery,
    answer: Answer,
    at: Date,
  ): Promise<DeliveryReport> {
    const outcome = outcomeOf(answer, now());
    const attempt = delivery.attempts + 1;
    const scheduleMs = config.webhooks.retryDelaysMs;
    const step = nextStep({ outcome, attempt, at, jitter: random(), scheduleMs, health: delivery });
    const rows = rowsOf(input, answer, outcome, step, at, now());
    await recordAttempt(database, rows.attempt, rows.after);
    if (step.kind === 'delivered')
      return reportOf({ ...delivery, attempts: attempt }, outcome.text);
    tellOperator(input, step);
    throw failureOf(
      step,
      `Try ${attempt} of ${scheduleMs.length + 1} to ${hostOf(delivery)}: ${outcome.text}`,
    );
  }

  async function refuse(input: DeliveryInput, { disabledReason }: LoadedDelivery): Promise<Error> {
    const reason = `The endpoint is switched off. ${disabledReason ?? ''}`.trim();
    await giveUpDelivery(database, input, reason, now());
    return forGood(reason);
  }

  function tellOperator(
    { endpointId, eventId, oauthClientId }: DeliveryInput,
    step: NextStep,
  ): void {
    if (step.kind !== 'give_up') return;
    const about = { endpointId, eventId, oauthClientId, reason: step.reason };
    if (step.switchOff === null) log.warn(about, 'webhook delivery failed for good');
    else
      log.error(about, 'webhook endpoint switched off: leadctl webhook enable turns it on again');
  }

  return async (input) => {
    const waitMs = slots.take(input.endpointId, now().getTime());
    if (waitMs !== null) throw itsTurnComes(waitMs);
    let answer: Answer | null = null;
    try {
      return await whileBeating(() => tryOnce(input, (came) => (answer = came)));
    } finally {
      slots.giveBack(input.endpointId, callOf(answer));
    }
  };
}

function callOf(answer: Answer | null): { timedOut: boolean; latencyMs: number } {
  if (answer === null) return { timedOut: false, latencyMs: 0 };
  const timedOut = answer.kind === 'no_answer' && answer.error === 'timeout';
  return { timedOut, latencyMs: answer.latencyMs };
}

function reportOf(delivery: LoadedDelivery, outcome: string): DeliveryReport {
  return { host: hostOf(delivery), attempts: delivery.attempts, outcome };
}

function hostOf({ url }: { url: string }): string {
  return new URL(url).host;
}
