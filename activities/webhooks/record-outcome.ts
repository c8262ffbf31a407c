import { log } from '@temporalio/activity';
import PQueue from 'p-queue';
import { buildEndpointEvent, type EndpointEvent } from '../../domain/webhooks/event-payloads.ts';
import {
  decideNextStep,
  type Failure,
  type NextStep,
} from '../../domain/webhooks/endpoint-health.ts';
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
import type { DeliveryInput } from '../../workflows/contracts/webhook-delivery.ts';
import type { WebhookContext } from './call-endpoint.ts';

export type Delivery = LoadedDelivery & DeliveryInput;

export interface Recorded {
  step: NextStep;
  /** What the endpoint did. */
  text: string;
}

/** Null if another attempt that ended meanwhile decides: this one is recorded without consequences. */
export function createRecordOutcome(context: WebhookContext) {
  const { database, config, now, newId, random = Math.random } = context;
  const scheduleMs = config.webhooks.retryDelaysMs;
  const recordArrived = createBatcher((attempts: readonly AttemptRow[]) =>
    recordDelivered(database, attempts),
  );
  const recordFailed = createRecordFailed(database);
  return async (delivery: Delivery, result: CallResult, at: Date): Promise<Recorded | null> => {
    const outcome = classifyCall(result, now());
    const facts = { outcome, at, jitter: random(), scheduleMs, health: delivery };
    const step = decideNextStep({ ...facts, attempt: delivery.attempts + 1 });
    const row = buildAttemptRow(delivery, result, outcome, at);
    const isRecorded =
      step.kind === 'delivered'
        ? await recordArrived(row)
        : await recordFailed(row, {
            ...afterFailure(step, now()),
            url: delivery.url,
            attemptsBefore: delivery.attempts,
            alert: buildAlert(step, row, delivery.url, { id: `evt_${newId()}`, at }),
          });
    if (isRecorded && step.kind === 'give_up') logFailedDelivery(delivery, step);
    return isRecorded ? { step, text: outcome.text } : null;
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

function buildAttemptRow(
  { eventId, endpointId, generation }: Delivery,
  result: CallResult,
  outcome: Outcome,
  at: Date,
): AttemptRow {
  const { latencyMs } = result;
  const error = outcome.kind === 'failed' ? outcome.error : null;
  const common = { eventId, endpointId, generation, at, latencyMs, error };
  return result.kind === 'responded'
    ? { ...common, statusCode: result.status, responseHead: result.bodyPrefix }
    : { ...common, statusCode: null, responseHead: null };
}

function afterFailure(step: Failure, endedAt: Date) {
  const { failingSince } = step;
  if (step.kind === 'give_up') {
    const { reason: failureReason, switchOff } = step;
    const status = 'failed' as const;
    return { status, nextAttemptAt: null, failureReason, failingSince, switchOff };
  }
  const nextAttemptAt = new Date(endedAt.getTime() + step.delayMs);
  const status = 'pending' as const;
  return { status, nextAttemptAt, failureReason: null, failingSince, switchOff: null };
}

function buildAlert(
  { alert, failingSince: since }: Failure,
  { endpointId, statusCode: lastStatusCode, error: lastError }: AttemptRow,
  url: string,
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

function logFailedDelivery(
  { endpointId, eventId, oauthClientId, traceparent }: Delivery,
  { reason, switchOff }: Extract<Failure, { kind: 'give_up' }>,
): void {
  const traceId = parseTraceparent(traceparent)?.traceId;
  const attributes = { endpointId, eventId, oauthClientId, traceId, reason };
  if (switchOff === null) log.warn('webhook delivery failed for good', attributes);
  else log.error('webhook endpoint switched off until leadctl webhook enable', attributes);
}
