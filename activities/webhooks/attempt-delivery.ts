import { addAbortListener } from 'node:events';
import { Context, log } from '@temporalio/activity';
import { describeFailure, type CallResult } from '../../domain/webhooks/call-outcome.ts';
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
  failDelivery,
  holdDelivery,
  postponeDelivery,
  type DeliveryKey,
  type LoadedDelivery,
} from '../../store/webhooks/attempts.ts';
import type { DeliveryInput } from '../../workflows/contracts/webhook-delivery.ts';
import { retryAfter } from '../context.ts';
import { createCallEndpoint, NotSent, type WebhookContext } from './call-endpoint.ts';
import { signedHeaders, validSecrets } from './sign.ts';
import { createEndpointLimiter } from './endpoint-limiter.ts';
import {
  createRecordOutcome,
  ended,
  failureText,
  retrying,
  type AttemptResult,
} from './record-outcome.ts';

const FRESH_MS = 1000;
/** A call exceeds its timeout by more only if the worker was frozen. */
const FROZEN_MS = 2000;

type TimedDelivery = LoadedDelivery & { loadedAtMs: number };

export type DeliveryAttempts = ReturnType<typeof createDeliveryAttempts>;

export function createDeliveryAttempts(context: WebhookContext) {
  const { database, config, now, resolve } = context;
  const call = createCallEndpoint({ ...config.webhooks, resolve });
  const recordOutcome = createRecordOutcome(context);
  const limiter = createEndpointLimiter(context.callSlots);
  const loadOne = createBatcher(async (keys: readonly DeliveryKey[]) => {
    const loadedAtMs = performance.now();
    const deliveries = await loadDeliveries(database, keys);
    return deliveries.map(
      (delivery): TimedDelivery | null => delivery && { ...delivery, loadedAtMs },
    );
  });

  /** The call is a span of the trace of the lead's request, if that has one. */
  async function send(input: DeliveryInput, delivery: TimedDelivery, at: Date) {
    const secrets = validSecrets(delivery, config.secretsKey, at);
    const trace = parseTraceparent(delivery.traceparent);
    const span = trace && startSpan(trace);
    const headers = {
      ...signedHeaders(input.eventId, delivery.body, secrets, at),
      ...(span && { traceparent: formatTraceparent(span) }),
    };
    const mayBeSent = () => isStillDue(input, delivery);
    const result = await call({ ...delivery, headers, mayBeSent }, shutdownSignal());
    logAttempt(input, delivery.attempts + 1, span, result);
    // Not an attempt: it says nothing about the endpoint, and another worker may have made it since.
    if (isInterrupted(result, config.webhooks.timeoutMs))
      throw retryAfter('Interrupted', 1000, INTERRUPTED);
    return result;
  }

  /** By now another worker may have made the attempt, or the endpoint, its secret or its client changed. */
  async function isStillDue(input: DeliveryInput, loaded: TimedDelivery) {
    if (performance.now() - loaded.loadedAtMs < FRESH_MS) return true;
    const current = await loadOne(input);
    return (
      current?.status === 'pending' &&
      current.enabled &&
      current.isClientActive &&
      current.generation === input.generation &&
      current.attempts === loaded.attempts &&
      current.url === loaded.url &&
      current.secretSealed.equals(loaded.secretSealed)
    );
  }

  async function callEndpoint(input: DeliveryInput, delivery: TimedDelivery) {
    const at = now();
    const { attempts } = delivery;
    const waitMs = limiter.acquire(input, at.getTime());
    if (waitMs !== null) {
      const until = new Date(at.getTime() + waitMs);
      await postponeDelivery(database, { ...input, attempts }, until);
      const why = 'The endpoint has as many calls open as it may have; this one asks again';
      return retrying(input, 'Throttled', attempts, why, waitMs);
    }
    const recorded = await callAndRecord(input, delivery, at);
    return recorded ?? attempt(input);
  }

  async function callAndRecord(input: DeliveryInput, delivery: TimedDelivery, at: Date) {
    let result: CallResult | null = null;
    try {
      result = await send(input, delivery, at);
      return await recordOutcome(input, delivery, result, at);
    } catch (error) {
      if (error instanceof NotSent) return null;
      throw error;
    } finally {
      limiter.release(input, result);
    }
  }

  /** The schedule in Postgres decides, whichever activity asks. */
  function waitUntilDue(input: DeliveryInput, delivery: LoadedDelivery, earlyMs: number) {
    const { attempts } = delivery;
    const scheduled = config.webhooks.retryDelaysMs.length + 1;
    const why =
      attempts > 0
        ? failureText(delivery, attempts, scheduled, describeFailure(delivery))
        : 'It was postponed; the next attempt comes';
    return retrying(input, 'NotDueYet', attempts, why, earlyMs);
  }

  /** The operator's reason stays with the endpoint, since this one is visible in workflow histories. */
  async function refuse(input: DeliveryInput, delivery: LoadedDelivery): Promise<AttemptResult> {
    const reason = `The endpoint is switched off: leadctl webhook show ${input.endpointId} says why.`;
    const isStillOff = await failDelivery(database, input, reason, now());
    if (!isStillOff) return attempt(input);
    return ended(input, 'failed', delivery.attempts, reason);
  }

  async function hold(input: DeliveryInput, { attempts }: LoadedDelivery): Promise<AttemptResult> {
    const isHeld = await holdDelivery(database, input);
    return isHeld ? ended(input, 'held', attempts, HELD) : attempt(input);
  }

  async function attempt(
    input: DeliveryInput,
    loaded?: TimedDelivery | null,
  ): Promise<AttemptResult> {
    const delivery = loaded ?? (await loadOne(input));
    if (!delivery) return ended(input, 'failed', 0, 'Delivery not found.');
    const { status, attempts, generation, failureReason, nextAttemptAt } = delivery;
    if (generation !== input.generation)
      return ended(input, 'superseded', attempts, 'It was sent again since.');
    if (status === 'delivered') return ended(input, status, attempts, 'It was delivered before.');
    if (status === 'failed')
      return ended(input, status, attempts, failureReason ?? 'It failed for good before.');
    if (status === 'held') return ended(input, status, attempts, HELD);
    if (!delivery.enabled) return refuse(input, delivery);
    if (!delivery.isClientActive) return hold(input, delivery);
    const earlyMs = (nextAttemptAt?.getTime() ?? 0) - now().getTime();
    return earlyMs > 0 ? waitUntilDue(input, delivery, earlyMs) : callEndpoint(input, delivery);
  }

  const load = (inputs: readonly DeliveryInput[]) => Promise.all(inputs.map(loadOne));
  return { load, attempt };
}

const INTERRUPTED = 'The worker was frozen during the call. It is made again.';
const HELD = 'Its client is deactivated. It waits until leadctl client activate.';

function isInterrupted(result: CallResult, timeoutMs: number): boolean {
  return result.kind === 'no_response' && result.latencyMs > timeoutMs + FROZEN_MS;
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

/** Aborts when the worker stops. A cancelled delivery lets its call end, so that the result is recorded. */
function shutdownSignal(): AbortSignal {
  const context = Context.current();
  const { cancellationSignal } = context;
  const shutdown = new AbortController();
  addAbortListener(cancellationSignal, () => {
    if (context.cancellationDetails?.workerShutdown) shutdown.abort(cancellationSignal.reason);
  });
  return shutdown.signal;
}
