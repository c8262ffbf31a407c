import { log } from '@temporalio/activity';
import { decideNextStep, type NextStep } from '../../domain/webhooks/next-step.ts';
import { classifyCall, type CallResult, type Outcome } from '../../domain/webhooks/outcome.ts';
import { parseTraceparent } from '../../platform/trace-context.ts';
import { createBatcher } from '../../store/db/batcher.ts';
import type { LoadedDelivery } from '../../store/webhooks/load-delivery.ts';
import {
  recordDelivered,
  recordFailure,
  type AfterFailure,
  type AttemptRow,
} from '../../store/webhooks/record-attempt.ts';
import type {
  DeliveryInput,
  DeliveryOutcome,
  DeliveryReport,
} from '../../workflows/contracts/webhook-delivery.ts';
import type { WebhookContext } from '../context.ts';

/** The report of an attempt, and when the next one is due where there is one. */
export interface AttemptResult {
  report: DeliveryReport;
  next: { type: 'AttemptFailed' | 'NotDueYet' | 'Throttled'; delayMs: number } | null;
}

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
      const why = failureText(delivery, attempts, scheduleMs.length + 1, outcome.text);
      return retrying(input, 'AttemptFailed', attempts, why, step.delayMs);
    }
    logFailedDelivery(input, delivery, step);
    return ended(input, 'failed', attempts, step.reason);
  };
}

function logFailedDelivery(
  { endpointId, eventId, oauthClientId }: DeliveryInput,
  { traceparent }: LoadedDelivery,
  { reason, switchOff }: Extract<NextStep, { kind: 'give_up' }>,
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
  if (step.kind === 'give_up') {
    const { reason: failureReason, switchOff } = step;
    return { status: 'failed', nextAttemptAt: null, failureReason, failingSince, switchOff };
  }
  const nextAttemptAt = new Date(endedAt.getTime() + step.delayMs);
  return { status: 'pending', nextAttemptAt, failureReason: null, failingSince, switchOff: null };
}

export function ended(
  { eventId }: DeliveryInput,
  outcome: Exclude<DeliveryOutcome, 'retrying'>,
  attempts: number,
  detail: string,
): AttemptResult {
  return { report: { eventId, outcome, attempts, detail }, next: null };
}

/** The delay is the end of the sentence `why`. */
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

/** `5 s`, `30 min`, `2 h 5 min`: a delay as the pending activity shows it. */
function formatDelay(delayMs: number): string {
  const seconds = Math.round(delayMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor((seconds % HOUR_S) / 60);
  const hours = Math.floor(seconds / HOUR_S);
  if (hours === 0) return `${minutes} min`;
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}
