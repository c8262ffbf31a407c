import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { addSearchAttributes } from '../../activities/prepare-namespace.ts';
import { createWebhookActivities } from '../../activities/webhook-activities.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { deliveryOptions } from '../../workflows/delivery-options.ts';
import { queues, workflowTypes } from '../../workflows/messages.ts';
import type { DeliveryInput } from '../../workflows/messages.ts';
import { timeSkippingEnvironment } from '../support/time-skipping.ts';
import {
  attemptRows,
  createTestStore,
  deliveryRow,
  makeDelivery,
  makeEndpoint,
  webhookContext,
} from './support.ts';
import type { TestStore } from './support.ts';

const SCHEDULE_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
const HOUR_S = 3600;
const workflowsPath = fileURLToPath(new URL('./workflows.ts', import.meta.url));

let env: TestWorkflowEnvironment;
let store: TestStore;
let server: Server;
let worker: Worker;
let running: Promise<void>;

/** When each call came, on the clock of the server that skips time. */
let arrivals: number[] = [];
let answer: (call: number, response: ServerResponse) => void;
let nowMs = 0;

beforeAll(async () => {
  env = await timeSkippingEnvironment();
  await addSearchAttributes(env.client);
  store = await createTestStore();
  server = createServer((request, response) => {
    request.resume();
    void env.currentTimeMs().then((at) => {
      nowMs = at;
      arrivals.push(at);
      answer(arrivals.length, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const activities = createWebhookActivities(webhookContext(store, { now: () => new Date(nowMs) }));
  const deliverWebhook = async (input: DeliveryInput) => {
    nowMs = await env.currentTimeMs();
    return activities.deliverWebhook(input);
  };
  worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: queues.webhooks,
    workflowsPath,
    activities: { ...activities, deliverWebhook },
  });
  running = worker.run();
});

afterAll(async () => {
  worker.shutdown();
  await running;
  server.close();
  await store.close();
  await env.teardown();
});

async function deliver(): Promise<{ input: DeliveryInput; failure: Error | null }> {
  arrivals = [];
  nowMs = await env.currentTimeMs();
  const { port } = server.address() as AddressInfo;
  const endpoint = await makeEndpoint(store, `http://127.0.0.1:${port}/`);
  const input = await makeDelivery(store, endpoint);
  const failure = await env.client.workflow
    .execute(workflowTypes.webhookDelivery, deliveryOptions(input))
    .then(
      () => null,
      (error: Error) => error,
    );
  return { input, failure };
}

const waitsInSeconds = () =>
  arrivals.slice(1).map((at, index) => Math.round((at - (arrivals[index] ?? 0)) / 1000));

/** A machine that stalls lengthens a wait, so a delivery that met with that is made again; a wrong schedule stays wrong. */
function deliverWithWaits(expectThem: (waits: number[]) => void) {
  const once = async () => {
    const delivered = await deliver();
    expectThem(waitsInSeconds());
    return delivered;
  };
  return waitUntil(once, { what: 'A delivery to the second', timeoutMs: 240_000 });
}

describe('the whole schedule', () => {
  test('8 tries at 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h; then Failed', async () => {
    answer = (_, response) => response.writeHead(503).end();
    const { input, failure } = await deliverWithWaits((waits) =>
      expect(waits).toEqual(SCHEDULE_SECONDS),
    );
    expect(failure).toBeInstanceOf(WorkflowFailedError);
    const { cause } = failure as WorkflowFailedError;
    expect(cause?.message).toBe('Given up after 8 tries; at the last one it answered 503.');
    expect(await deliveryRow(store, input)).toMatchObject({ status: 'failed', attempts: 8 });
    expect(await attemptRows(store, input)).toHaveLength(8);
  });

  test('until an answer is 2xx', async () => {
    answer = (call, response) => response.writeHead(call < 5 ? 500 : 204).end();
    const { input, failure } = await deliverWithWaits((waits) =>
      expect(waits).toEqual(SCHEDULE_SECONDS.slice(0, 4)),
    );
    expect(failure).toBeNull();
    expect(await deliveryRow(store, input)).toMatchObject({ status: 'delivered', attempts: 5 });
  });

  test('Retry-After counts where it is longer, in seconds or as a date', async () => {
    answer = (call, response) => {
      const date = new Date(Math.ceil(nowMs / 1000) * 1000 + HOUR_S * 1000).toUTCString();
      const retryAfter = [undefined, '60', '60', date, '999999'][call];
      const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
      response.writeHead(call === 5 ? 200 : 429, headers).end();
    };
    const { failure } = await deliverWithWaits(([first, second, third = 0, fourth]) => {
      expect([first, second, fourth]).toEqual([60, 300, 24 * HOUR_S]);
      expect(Math.abs(third - HOUR_S)).toBeLessThanOrEqual(1);
    });
    expect(failure).toBeNull();
  });

  test('410 ends it at once', async () => {
    answer = (_, response) => response.writeHead(410).end();
    const { failure } = await deliver();
    expect(arrivals).toHaveLength(1);
    expect((failure as WorkflowFailedError).cause?.message).toBe(
      'The endpoint answered 410 Gone. It was switched off.',
    );
  });
});
