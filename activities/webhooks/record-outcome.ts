import { log } from '@temporalio/activity';
import PQueue from 'p-queue';
import { buildEndpointEvent, type EndpointEvent } from '../../domain/webhooks/event-payloads.ts';
import { decideNextStep, type Failure } from '../../domain/webhooks/endpoint-health.ts';
import { classifyCall, type CallResult, type Outcome } from '../../domain/webhooks/call-outcome.ts';
import { parseTraceparent } from '../../platform/trace-context.ts';
import { createBatcher } from '../../store/db/batcher.ts';
import type { Database } from '../../store/db/database.ts';
import {
  recordDelivered,
  recordFailure,
  type LoadedDelivery,
  type AfterFailure,
  type AttemptRow,
} from '../../store/webhooks/attempts.ts';
import type {
  DeliveryInput,
  DeliveryOutcome,
  DeliveryReport,
} from '../../workflows/contracts/webhook-delivery.ts';
import type { WebhookContext } from './call-endpoint.ts';

export interface AttemptResult {
  report: DeliveryReport;
  next: { type: 'AttemptFailed' | 'NotDueYet' | 'Throttled'; delayMs: number } | null;
}

/** Null if another attempt that ended meanwhile decides: this one is recorded without consequences. */
export function createRecordOutcome(context: WebhookContext) {
  const { database, config, now, newId, random = Math.random } = context;
  const scheduleMs = config.webhooks.retryDelaysMs;
  const recordArrived = createBatcher((attempts: readonly AttemptRow[]) =>
    recordDelivered(database, attempts),
  );
  const recordFailed = createRecordFailed(database);
  return async (
    input: DeliveryInput,
    delivery: LoadedDelivery,
    result: CallResult,
    at: Date,
  ): Promise<AttemptResult | null> => {
    const outcome = classifyCall(result, now());
    const attempts = delivery.attempts + 1;
    const facts = { outcome, attempt: attempts, at, jitter: random(), scheduleMs };
    const step = decideNextStep({ ...facts, health: delivery });
    const row = buildAttemptRow(input, result, outcome, at);
    const isRecorded =
      step.kind === 'delivered'
        ? await recordArrived(row)
        : await recordFailed(row, {
            ...afterFailure(step, now()),
            url: delivery.url,
            attemptsBefore: delivery.attempts,
            alert: buildAlert(step, row, delivery, { id: `evt_${newId()}`, at }),
          });
    if (!isRecorded) return null;
    if (step.kind === 'delivered') return ended(input, 'delivered', attempts, outcome.text);
    if (step.kind === 'retry') {
      const why = failureText(delivery, attempts, scheduleMs.length + 1, outcome.text);
      return retrying(input, 'AttemptFailed', attempts, why, step.delayMs);
    }
    logFailedDelivery(input, delivery, step);
    return ended(input, 'failed', attempts, step.reason);
  };
}

/** One at a time: each locks the endpoint's row, so many would hold every connection. */
function createRecordFailed(database: Database) {
  const queues = new Map<string, PQueue>();

  function openQueue(endpointId: string): PQueue {
    const queue = new PQueue({ concurrency: 1 });
    queue.addEventListener('idle', () => queues.delete(endpointId));
    queues.set(endpointId, queue);
    return queue;
  }

  return (attempt: AttemptRow, after: AfterFailure): Promise<boolean> => {
    const { endpointId } = attempt;
    const queue = queues.get(endpointId) ?? openQueue(endpointId);
    return queue.add(() => recordFailure(database, attempt, after));
  };
}

function logFailedDelivery(
  { endpointId, eventId, oauthClientId }: DeliveryInput,
  { traceparent }: LoadedDelivery,
  { reason, switchOff }: Extract<Failure, { kind: 'give_up' }>,
): void {
  const traceId = parseTraceparent(traceparent)?.traceId;
  const attributes = { endpointId, eventId, oauthClientId, traceId, reason };
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
    eventId,
    endpointId,
    generation,
    at,
    statusCode: hasResponse ? result.status : null,
    latencyMs: result.latencyMs,
    error: outcome.kind === 'failed' ? outcome.error : null,
    responseHead: hasResponse ? result.bodyPrefix : null,
  };
}

function afterFailure(
  step: Failure,
  endedAt: Date,
): Omit<AfterFailure, 'url' | 'alert' | 'attemptsBefore'> {
  const { failingSince } = step;
  if (step.kind === 'give_up') {
    const { reason: failureReason, switchOff } = step;
    return { status: 'failed', nextAttemptAt: null, failureReason, failingSince, switchOff };
  }
  const nextAttemptAt = new Date(endedAt.getTime() + step.delayMs);
  return { status: 'pending', nextAttemptAt, failureReason: null, failingSince, switchOff: null };
}

function buildAlert(
  { alert, failingSince: since }: Failure,
  { endpointId, statusCode: lastStatusCode, error: lastError }: AttemptRow,
  { url }: LoadedDelivery,
  event: { id: string; at: Date },
): EndpointEvent | null {
  const failingSince = since.toISOString();
  switch (alert?.type) {
    case 'endpoint.failing': {
      const data = { endpointId, url, failingSince, lastStatusCode, lastError };
      return buildEndpointEvent(alert.type, event, data);
    }
    case 'endpoint.disabled': {
      const { reason } = alert;
      return buildEndpointEvent(alert.type, event, { endpointId, url, reason, failingSince });
    }
    default:
      return null;
  }
}

export function ended(
  { eventId }: DeliveryInput,
  outcome: Exclude<DeliveryOutcome, 'retrying'>,
  attempts: number,
  detail: string,
): AttemptResult {
  return { report: { eventId, outcome, attempts, detail }, next: null };
}

export function retrying(
  { eventId }: DeliveryInput,
  type: NonNullable<AttemptResult['next']>['type'],
  attempts: number,
  why: string,
  delayMs: number,
): AttemptResult {
  const detail = `${why} in ${formatDelay(delayMs)}.`;
  return { report: { eventId, outcome: 'retrying', attempts, detail }, next: { type, delayMs } };
}

export function failureText(
  { url, eventType }: LoadedDelivery,
  attempt: number,
  scheduled: number,
  failure: string,
): string {
  const what = `Attempt ${attempt} of ${scheduled} of ${eventType} to ${new URL(url).host}`;
  return `${what}: ${failure}; the next attempt comes`;
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
