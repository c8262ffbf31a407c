import { addAbortListener } from 'node:events';
import { Context, log } from '@temporalio/activity';
import { describeFailure, type CallResult } from '../../domain/webhooks/outcome.ts';
import {
  formatTraceparent,
  parseTraceparent,
  startSpan,
  traceFields,
  type TraceContext,
} from '../../platform/trace-context.ts';
import { createBatcher } from '../../store/db/batcher.ts';
import {
  loadDeliveries,
  type DeliveryKey,
  type LoadedDelivery,
} from '../../store/webhooks/load-delivery.ts';
import { failDelivery, postponeDelivery } from '../../store/webhooks/record-attempt.ts';
import type { DeliveryInput } from '../../workflows/contracts/webhook-delivery.ts';
import type { WebhookContext } from '../context.ts';
import { createCallEndpoint } from './call-endpoint.ts';
import { createEndpointLimiter } from './endpoint-limiter.ts';
import {
  createRecordOutcome,
  ended,
  failureText,
  retrying,
  type AttemptResult,
} from './record-outcome.ts';
import { signedHeaders, validSecrets } from './sign.ts';

export type DeliveryAttempts = ReturnType<typeof createDeliveryAttempts>;

/** The attempts of all deliveries that a worker carries: they share its limits, statements and connections. */
export function createDeliveryAttempts(context: WebhookContext) {
  const { database, config, now } = context;
  const call = createCallEndpoint(config.webhooks);
  const recordOutcome = createRecordOutcome(context);
  const limiter = createEndpointLimiter(context.callSlots);
  const loadOne = createBatcher((keys: readonly DeliveryKey[]) => loadDeliveries(database, keys));

  /** The call is a span of the trace that the lead's request named; without one none is begun. */
  async function send(input: DeliveryInput, delivery: LoadedDelivery, at: Date) {
    const secrets = validSecrets(delivery, config.secretsKey, at);
    const trace = parseTraceparent(delivery.traceparent);
    const span = trace && startSpan(trace);
    const headers = {
      ...signedHeaders(input.eventId, delivery.body, secrets, at),
      ...(span && { traceparent: formatTraceparent(span) }),
    };
    const result = await call({ ...delivery, headers }, shutdownSignal());
    logAttempt(input, delivery.attempts + 1, span, result);
    return result;
  }

  async function callEndpoint(input: DeliveryInput, delivery: LoadedDelivery) {
    const at = now();
    const waitMs = limiter.acquire(input, at.getTime());
    if (waitMs !== null) {
      await postponeDelivery(database, input, new Date(at.getTime() + waitMs));
      const why = 'The endpoint has as many calls open as it may have; this one asks again';
      return retrying(input, 'Throttled', delivery.attempts, why, waitMs);
    }
    let result: CallResult | null = null;
    try {
      result = await send(input, delivery, at);
      return await recordOutcome(input, delivery, result, at);
    } finally {
      limiter.release(input, result);
    }
  }

  /** No attempt is made: the schedule in Postgres decides, whichever activity asks. */
  function waitUntilDue(input: DeliveryInput, delivery: LoadedDelivery, earlyMs: number) {
    const { attempts } = delivery;
    const scheduled = config.webhooks.retryDelaysMs.length + 1;
    const why =
      attempts > 0
        ? failureText(delivery, attempts, scheduled, describeFailure(delivery))
        : 'It was postponed; the next attempt comes';
    return retrying(input, 'NotDueYet', attempts, why, earlyMs);
  }

  /** The operator's own words stay with the endpoint: the reason is seen in workflow histories. */
  async function refuse(input: DeliveryInput, delivery: LoadedDelivery): Promise<AttemptResult> {
    const reason = `The endpoint is switched off: leadctl webhook show ${input.endpointId} says why.`;
    const isStillOff = await failDelivery(database, input, reason, now());
    if (!isStillOff) return attempt(input);
    return ended(input, 'failed', delivery.attempts, reason);
  }

  /** One attempt, where it is due and its endpoint has room for a call; recorded before it returns. */
  async function attempt(
    input: DeliveryInput,
    loaded?: LoadedDelivery | null,
  ): Promise<AttemptResult> {
    const delivery = loaded ?? (await loadOne(input));
    if (!delivery) return ended(input, 'failed', 0, 'There is no such delivery.');
    const { status, attempts, generation, failureReason, nextAttemptAt } = delivery;
    if (generation !== input.generation)
      return ended(input, 'superseded', attempts, 'It was sent again since.');
    if (status === 'delivered') return ended(input, status, attempts, 'It was delivered before.');
    if (status === 'failed')
      return ended(input, status, attempts, failureReason ?? 'It failed for good before.');
    if (!delivery.enabled) return refuse(input, delivery);
    const earlyMs = (nextAttemptAt?.getTime() ?? 0) - now().getTime();
    return earlyMs > 0 ? waitUntilDue(input, delivery, earlyMs) : callEndpoint(input, delivery);
  }

  /** In one statement, for attempts that follow at once. */
  const load = (inputs: readonly DeliveryInput[]) => Promise.all(inputs.map(loadOne));
  return { load, attempt };
}

function logAttempt(
  { endpointId, eventId, oauthClientId }: DeliveryInput,
  attempt: number,
  span: TraceContext | null,
  result: CallResult,
): void {
  const { kind, latencyMs: ms } = result;
  const answer = kind === 'responded' ? { status: result.status } : { reason: result.error };
  const ids = { endpointId, eventId, oauthClientId, attempt };
  log.info('webhook attempt', { ...ids, ...traceFields(span), ...answer, ms });
}

/**
 * Aborts when the worker stops. A cancelled delivery lets its open call end, so that the outcome is recorded
 * and nothing is delivered twice.
 */
function shutdownSignal(): AbortSignal {
  const context = Context.current();
  const { cancellationSignal } = context;
  const shutdown = new AbortController();
  addAbortListener(cancellationSignal, () => {
    if (context.cancellationDetails?.workerShutdown) shutdown.abort(cancellationSignal.reason);
  });
  return shutdown.signal;
}
