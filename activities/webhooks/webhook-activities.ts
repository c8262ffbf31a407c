import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import pTimeout from 'p-timeout';
import type {
  DeliveryInput,
  DeliveryReport,
  SendWebhooksInput,
} from '../../workflows/contracts/webhook-delivery.ts';
import { retryAfter } from '../retry-after.ts';
import { createDeliveryAttempts, type DeliveryAttempts } from './attempt-delivery.ts';
import type { AttemptResult } from './record-outcome.ts';
import { createTestWebhook } from './test-webhook.ts';
import type { WebhookContext } from './webhook-context.ts';

const HEARTBEAT_EVERY_MS = 3000;
/** How long an event without a response delays the next one to the same endpoint. */
const HEAD_START_MS = 1000;

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

export function createWebhookActivities(context: WebhookContext) {
  const attempts = createDeliveryAttempts(context);
  return {
    sendWebhooks: withHeartbeat((input: SendWebhooksInput) => sendWebhooks(input, attempts)),
    retryWebhook: withHeartbeat((input: DeliveryInput) => retryWebhook(input, attempts)),
    testWebhook: createTestWebhook(context),
  };
}

/** Heartbeats let the server notice within seconds that the worker was killed. */
function withHeartbeat<Input, Output>(activity: (input: Input) => Promise<Output>) {
  return async (input: Input): Promise<Output> => {
    const context = Context.current();
    const heartbeat = setInterval(() => context.heartbeat(), HEARTBEAT_EVERY_MS);
    try {
      return await activity(input);
    } finally {
      clearInterval(heartbeat);
    }
  };
}

/**
 * The first attempts of events that are ready together for one endpoint, the oldest first. Each has its own
 * record, attempts and schedule; the report says which have to be retried. An attempt that the endpoint's
 * limit postponed makes Temporal retry the activity; attempts that were made are not made again.
 */
async function sendWebhooks(
  { deliveries, ...common }: SendWebhooksInput,
  attempts: DeliveryAttempts,
): Promise<DeliveryReport[]> {
  const inputs = deliveries.map((each) => ({ ...common, ...each }));
  const results = await startInOrder(inputs, attempts);
  const [first] = results.filter(isPostponed).sort((a, b) => a.next.delayMs - b.next.delayMs);
  if (first) throw retryAfter(first.next.type, first.next.delayMs, first.report.detail);
  return results.map(({ report }) => report);
}

type Postponed = AttemptResult & { next: NonNullable<AttemptResult['next']> };

function isPostponed(result: AttemptResult): result is Postponed {
  return result.next !== null && result.report.attempts === 0;
}

/**
 * Loaded together. A failed attempt may change its endpoint, so each later delivery is then loaded anew. The open
 * calls end before a cancelled or failed activity does.
 */
async function startInOrder(
  inputs: readonly DeliveryInput[],
  { load, attempt }: DeliveryAttempts,
): Promise<AttemptResult[]> {
  const { cancellationSignal } = Context.current();
  let loaded = await load(inputs);
  const started: Promise<AttemptResult>[] = [];
  for (const [index, input] of inputs.entries()) {
    if (cancellationSignal.aborted) break;
    const result = attempt(input, loaded[index]);
    started.push(result);
    if (!(await arrivesInTime(result))) loaded = [];
  }
  await Promise.allSettled(started);
  if (started.length < inputs.length) cancellationSignal.throwIfAborted();
  return Promise.all(started);
}

/** False also for an attempt that takes longer than the head start. */
function arrivesInTime(result: Promise<AttemptResult>): Promise<boolean> {
  const hasArrived = result.then(({ report }) => report.outcome === 'delivered');
  return pTimeout(hasArrived, { milliseconds: HEAD_START_MS }).catch(() => false);
}

/**
 * The retry schedule of one delivery: each attempt that fails names the delay of the next one, and the last
 * one fails the activity. Its first attempt begins during the pause after the delivery's first attempt, so
 * that the activity's attempts are numbered as those of the delivery.
 */
async function retryWebhook(
  input: DeliveryInput,
  { attempt }: DeliveryAttempts,
): Promise<DeliveryReport> {
  const { report, next } = await attempt(input);
  if (next) throw retryAfter(next.type, next.delayMs, report.detail);
  if (report.outcome === 'failed')
    throw ApplicationFailure.nonRetryable(report.detail, 'DeliveryFailed');
  return report;
}
