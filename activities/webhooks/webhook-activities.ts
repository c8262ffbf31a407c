import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import pTimeout from 'p-timeout';
import type {
  DeliveryInput,
  DeliveryReport,
  SendWebhooksInput,
} from '../../workflows/contracts/webhook-delivery.ts';
import { retryAfter } from '../context.ts';
import {
  type AttemptResult,
  createDeliveryAttempts,
  type DeliveryAttempts,
} from './attempt-delivery.ts';
import { createCallEndpoint, type WebhookContext } from './call-endpoint.ts';
import { signedHeaders, validSecrets } from './sign.ts';
import { classifyCall } from '../../domain/webhooks/call-outcome.ts';
import { sampleData, type EventType } from '../../domain/webhooks/event-payloads.ts';
import { loadEndpoint } from '../../store/webhooks/endpoints.ts';
import type {
  WebhookTestInput,
  WebhookTestReport,
} from '../../workflows/contracts/webhook-test.ts';

const HEARTBEAT_EVERY_MS = 3000;
/** A response that takes longer no longer delays the next event to the same endpoint. */
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

/** If the endpoint's limit postponed an attempt, a retry of the activity does not repeat attempts that were made. */
async function sendWebhooks(
  { deliveries, ...common }: SendWebhooksInput,
  attempts: DeliveryAttempts,
): Promise<DeliveryReport[]> {
  const inputs = deliveries.map((each) => ({ ...common, ...each }));
  const results = await startInOrder(inputs, attempts);
  const postponed = results.flatMap(({ report: { attempts, detail }, next }) =>
    next && attempts === 0 ? [{ ...next, detail }] : [],
  );
  const [first] = postponed.sort((a, b) => a.delayMs - b.delayMs);
  if (first) throw retryAfter(first.type, first.delayMs, first.detail);
  return results.map(({ report }) => report);
}

/** A failed attempt may change the endpoint, so that later deliveries are loaded again. Open calls end first. */
async function startInOrder(inputs: readonly DeliveryInput[], { load, attempt }: DeliveryAttempts) {
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

function arrivesInTime(result: Promise<AttemptResult>): Promise<boolean> {
  const hasArrived = result.then(({ report }) => report.outcome === 'delivered');
  return pTimeout(hasArrived, { milliseconds: HEAD_START_MS }).catch(() => false);
}

/** Begins after the first attempt, so that its attempts have the delivery's numbers. */
async function retryWebhook(input: DeliveryInput, { attempt }: DeliveryAttempts) {
  const { report, next } = await attempt(input);
  if (next) throw retryAfter(next.type, next.delayMs, report.detail);
  if (report.outcome === 'failed')
    throw ApplicationFailure.nonRetryable(report.detail, 'DeliveryFailed');
  return report;
}

function createTestWebhook({ database, config, now, resolve }: WebhookContext) {
  const call = createCallEndpoint({ ...config.webhooks, resolve });
  return async (input: WebhookTestInput): Promise<WebhookTestReport> => {
    const { endpointId, testId, type } = input;
    const endpoint = await loadEndpoint(database, endpointId);
    if (endpoint === null)
      throw ApplicationFailure.nonRetryable('Endpoint not found.', 'UnknownEndpoint');
    const at = now();
    const webhookId = `evt_test_${testId}`;
    const data = type
      ? sampleData[type as EventType]
      : { ...sampleData['webhook.test'], endpointId };
    const sample = { type: type ?? 'webhook.test', timestamp: at.toISOString(), data };
    const body = JSON.stringify(sample);
    const secrets = validSecrets(endpoint, config.secretsKey, at);
    const headers = signedHeaders(webhookId, body, secrets, at);
    const result = await call({ ...endpoint, body, headers });
    const { kind, text: outcome } = classifyCall(result, now());
    const hasResponse = result.kind === 'responded';
    return {
      webhookId,
      host: new URL(endpoint.url).host,
      delivered: kind === 'delivered',
      outcome,
      status: hasResponse ? result.status : null,
      latencyMs: result.latencyMs,
      answer: hasResponse ? result.bodyPrefix : null,
    };
  };
}
