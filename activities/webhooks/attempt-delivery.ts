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
} from '../../store/webhooks/attempts.ts';
import type { DeliveryInput, DeliveryReport } from '../../workflows/contracts/webhook-delivery.ts';
import { retryAfter } from '../context.ts';
import { createCallEndpoint, NotSent, type WebhookContext } from './call-endpoint.ts';
import { createEndpointLimiter } from './endpoint-limiter.ts';
import { createRecordOutcome, type Delivery, type Recorded } from './record-outcome.ts';
import { signedHeaders, validSecrets } from './sign.ts';

const FRESH_MS = 1000;
/** A call exceeds its timeout by more only if the worker was frozen. */
const FROZEN_MS = 2000;

export interface AttemptResult {
  report: DeliveryReport;
  next: { type: 'AttemptFailed' | 'NotDueYet' | 'Throttled'; delayMs: number } | null;
}

export type DeliveryAttempts = ReturnType<typeof createDeliveryAttempts>;

type LoadedDelivery = Awaited<ReturnType<DeliveryAttempts['load']>>[number];
type TimedDelivery = Delivery & { loadedAtMs: number };

export function createDeliveryAttempts(context: WebhookContext) {
  const { database, config, now, resolve } = context;
  const { retryDelaysMs, timeoutMs } = config.webhooks;
  const call = createCallEndpoint({ ...config.webhooks, resolve });
  const recordOutcome = createRecordOutcome(context);
  const limiter = createEndpointLimiter(context.callSlots);
  const loadOne = createBatcher(async (keys: readonly DeliveryKey[]) => {
    const loadedAtMs = performance.now();
    const deliveries = await loadDeliveries(database, keys);
    return deliveries.map((delivery) => delivery && { ...delivery, loadedAtMs });
  });
  const load = (inputs: readonly DeliveryInput[]) => Promise.all(inputs.map(loadOne));

  /** Starts again if another worker or an operator changed the delivery meanwhile. */
  async function attempt(input: DeliveryInput, loaded?: LoadedDelivery): Promise<AttemptResult> {
    const stored = loaded ?? (await loadOne(input));
    if (!stored) return ended({ ...input, attempts: 0 }, 'failed', 'Delivery not found.');
    const delivery = { ...input, ...stored };
    if (stored.generation !== input.generation)
      return ended(delivery, 'superseded', 'It was sent again since.');
    return (await callIfDue(delivery)) ?? attempt(input);
  }

  /** Null, here and below, if the delivery changed meanwhile. */
  async function callIfDue(delivery: TimedDelivery): Promise<AttemptResult | null> {
    const { status, failureReason, nextAttemptAt } = delivery;
    if (status === 'delivered') return ended(delivery, status, 'It was delivered before.');
    if (status === 'failed')
      return ended(delivery, status, failureReason ?? 'It failed for good before.');
    if (status === 'held') return ended(delivery, status, HELD);
    if (!delivery.enabled) return refuse(delivery);
    if (!delivery.isClientActive) return hold(delivery);
    const at = now();
    const earlyMs = (nextAttemptAt?.getTime() ?? 0) - at.getTime();
    if (earlyMs > 0) return waitUntilDue(delivery, earlyMs);
    const throttledMs = limiter.acquire(delivery, at.getTime());
    if (throttledMs !== null) return postpone(delivery, at, throttledMs);
    return callAndRecord(delivery, at);
  }

  /** The operator's reason stays with the endpoint, since this one is visible in workflow histories. */
  async function refuse(delivery: Delivery): Promise<AttemptResult | null> {
    const reason = `The endpoint is switched off: leadctl webhook show ${delivery.endpointId} says why.`;
    const isStillOff = await failDelivery(database, delivery, reason, now());
    return isStillOff ? ended(delivery, 'failed', reason) : null;
  }

  async function hold(delivery: Delivery): Promise<AttemptResult | null> {
    return (await holdDelivery(database, delivery)) ? ended(delivery, 'held', HELD) : null;
  }

  /** The schedule in Postgres decides, whichever activity asks. */
  function waitUntilDue(delivery: Delivery, earlyMs: number): AttemptResult {
    const why =
      delivery.attempts > 0
        ? failureText(delivery, describeFailure(delivery))
        : 'It was postponed; the next attempt comes';
    return retrying(delivery, 'NotDueYet', why, earlyMs);
  }

  async function postpone(delivery: Delivery, at: Date, waitMs: number): Promise<AttemptResult> {
    await postponeDelivery(database, delivery, new Date(at.getTime() + waitMs));
    const why = 'The endpoint has as many calls open as it may have; this one asks again';
    return retrying(delivery, 'Throttled', why, waitMs);
  }

  async function callAndRecord(delivery: TimedDelivery, at: Date): Promise<AttemptResult | null> {
    let result: CallResult | null = null;
    try {
      result = await send(delivery, at);
      const recorded = await recordOutcome(delivery, result, at);
      return recorded && resultOf({ ...delivery, attempts: delivery.attempts + 1 }, recorded);
    } catch (error) {
      if (error instanceof NotSent) return null;
      throw error;
    } finally {
      limiter.release(delivery, result);
    }
  }

  /** The call is a span of the trace of the lead's request, if that has one. */
  async function send(delivery: TimedDelivery, at: Date): Promise<CallResult> {
    const secrets = validSecrets(delivery, config.secretsKey, at);
    const trace = parseTraceparent(delivery.traceparent);
    const span = trace && startSpan(trace);
    const headers = {
      ...signedHeaders(delivery.eventId, delivery.body, secrets, at),
      ...(span && { traceparent: formatTraceparent(span) }),
    };
    const mayBeSent = () => isStillDue(delivery);
    const result = await call({ ...delivery, headers, mayBeSent }, shutdownSignal());
    logAttempt(delivery, span, result);
    // Not an attempt: it says nothing about the endpoint, and another worker may have made it since.
    if (result.kind === 'no_response' && result.latencyMs > timeoutMs + FROZEN_MS)
      throw retryAfter('Interrupted', 1000, INTERRUPTED);
    return result;
  }

  /** By now another worker may have made the attempt, or the endpoint, its secret or its client changed. */
  async function isStillDue(delivery: TimedDelivery): Promise<boolean> {
    if (performance.now() - delivery.loadedAtMs < FRESH_MS) return true;
    const current = await loadOne(delivery);
    return (
      current?.status === 'pending' &&
      current.enabled &&
      current.isClientActive &&
      current.generation === delivery.generation &&
      current.attempts === delivery.attempts &&
      current.url === delivery.url &&
      current.secretSealed.equals(delivery.secretSealed)
    );
  }

  function resultOf(delivery: Delivery, { step, text }: Recorded): AttemptResult {
    if (step.kind === 'delivered') return ended(delivery, 'delivered', text);
    if (step.kind === 'give_up') return ended(delivery, 'failed', step.reason);
    return retrying(delivery, 'AttemptFailed', failureText(delivery, text), step.delayMs);
  }

  function failureText({ attempts, eventType, url }: Delivery, failure: string): string {
    const what = `Attempt ${attempts} of ${retryDelaysMs.length + 1} of ${eventType}`;
    return `${what} to ${new URL(url).host}: ${failure}; the next attempt comes`;
  }

  return { load, attempt };
}

const INTERRUPTED = 'The worker was frozen during the call. It is made again.';
const HELD = 'Its client is deactivated. It waits until leadctl client activate.';

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

function logAttempt(delivery: Delivery, span: TraceContext | null, result: CallResult): void {
  const { endpointId, eventId, oauthClientId, attempts } = delivery;
  const { kind, latencyMs: ms } = result;
  const answer = kind === 'responded' ? { status: result.status } : { reason: result.error };
  const ids = { endpointId, eventId, oauthClientId, attempt: attempts + 1 };
  log.info('webhook attempt', { ...ids, ...traceFields(span), ...answer, ms });
}

type Attempted = Pick<DeliveryReport, 'eventId' | 'attempts'>;
type Ended = Exclude<DeliveryReport['outcome'], 'retrying'>;

function ended({ eventId, attempts }: Attempted, outcome: Ended, detail: string): AttemptResult {
  return { report: { eventId, outcome, attempts, detail }, next: null };
}

function retrying(
  { eventId, attempts }: Attempted,
  type: NonNullable<AttemptResult['next']>['type'],
  why: string,
  delayMs: number,
): AttemptResult {
  const detail = `${why} in ${formatDelay(delayMs)}.`;
  return { report: { eventId, outcome: 'retrying', attempts, detail }, next: { type, delayMs } };
}

const HOUR_S = 3600;

function formatDelay(delayMs: number): string {
  const seconds = Math.round(delayMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor((seconds % HOUR_S) / 60);
  const hours = Math.floor(seconds / HOUR_S);
  if (hours === 0) return `${minutes} min`;
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}
