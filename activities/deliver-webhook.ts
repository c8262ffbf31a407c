import { Context } from '@temporalio/activity';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Answer } from '../domain/webhooks/outcome.ts';
import type { Database } from '../store/database.ts';
import { loadDelivery } from '../store/webhooks/load-delivery.ts';
import type { LoadedDelivery } from '../store/webhooks/load-delivery.ts';
import { giveUpDelivery, postponeDelivery } from '../store/webhooks/settle-delivery.ts';
import type { DeliveryInput } from '../workflows/messages.ts';
import { createCallEndpoint } from './webhooks/call-endpoint.ts';
import { createConclude, reportOf } from './webhooks/conclude.ts';
import { comesTooEarly, forGood, itsTurnComes } from './webhooks/delivery-failure.ts';
import { createEndpointSlots, isSlow } from './webhooks/endpoint-slots.ts';
import { whileBeating } from './webhooks/heartbeat.ts';
import { signedHeaders, validSecrets } from './webhooks/sign.ts';

export interface WebhookContext {
  database: Database;
  config: Pick<Config, 'webhooks' | 'secretsKey'>;
  log: Logger;
  now: () => Date;
  /** Spreads the retries: 0 to 1, Math.random unless given. */
  random?: () => number;
  /** How many activities the worker runs at once: CALL_SLOTS unless given. */
  callSlots?: number;
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
  const { database, config, now } = context;
  const call = createCallEndpoint(config.webhooks);
  const conclude = createConclude(context);
  const slots = createEndpointSlots(context.callSlots);

  async function tryOnce(input: DeliveryInput, called: (answer: Answer) => void) {
    const delivery = await loadDelivery(database, input, now());
    if (delivery === null) throw forGood('There is no such delivery.');
    const { status, failureReason } = delivery;
    if (status === 'delivered') return reportOf(delivery, 'it was delivered before');
    if (status === 'failed') throw forGood(failureReason ?? 'It was given up before.');
    if (!delivery.enabled) return refuse(input, delivery);
    const at = now();
    assertDue(delivery, at);
    const answer = await send(input, delivery, at);
    called(answer);
    return conclude(input, delivery, answer, at);
  }

  function send(input: DeliveryInput, delivery: LoadedDelivery, at: Date): Promise<Answer> {
    const secrets = validSecrets(delivery, config.secretsKey, at);
    const headers = signedHeaders(input.eventId, delivery.body, secrets, at);
    return call({ ...delivery, headers }, Context.current().cancellationSignal);
  }

  async function refuse(input: DeliveryInput, { disabledReason }: LoadedDelivery): Promise<never> {
    const reason = `The endpoint is switched off. ${disabledReason ?? ''}`.trim();
    await giveUpDelivery(database, input, reason, now());
    throw forGood(reason);
  }

  async function postpone(input: DeliveryInput, waitMs: number): Promise<never> {
    const at = now();
    await postponeDelivery(database, input, at, new Date(at.getTime() + waitMs));
    throw itsTurnComes(waitMs);
  }

  return async (input) => {
    const waitMs = slots.take(input, now().getTime());
    if (waitMs !== null) return postpone(input, waitMs);
    let answer: Answer | null = null;
    try {
      return await whileBeating(() => tryOnce(input, (came) => (answer = came)));
    } finally {
      slots.giveBack(input, { isSlow: isSlow(answer), latencyMs: latencyOf(answer) });
    }
  };
}

/** A try whose end was recorded but never reported comes again at once; the schedule is the recorded one. */
function assertDue({ nextAttemptAt }: LoadedDelivery, at: Date): void {
  const earlyMs = (nextAttemptAt?.getTime() ?? 0) - at.getTime();
  if (earlyMs > 0) throw comesTooEarly(earlyMs);
}

function latencyOf(answer: Answer | null): number {
  return answer?.latencyMs ?? 0;
}
