import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { Worker } from '@temporalio/worker';
import { fromSetup } from '../../support/environment.ts';
import { addSearchAttributes } from '../../../worker/prepare-namespace.ts';
import { createWebhookActivities } from '../../../activities/webhooks/webhook-activities.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { taskQueues } from '../../../workflows/contracts/task-queues.ts';
import { timeSkippingEnvironment } from '../../support/time-skipping.ts';
import {
  attemptRows,
  createTestStore,
  deliveryRow,
  makeDelivery,
  makeEndpoint,
  webhookContext,
  type TestDelivery,
} from './support.ts';
import { leadActivities } from '../../support/worker.ts';
import { signalLead } from '../../support/temporal.ts';
import { listenOnLoopback } from '../../support/listen.ts';

const SCHEDULE_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];

/** When each call came and when it was due, on the clock of the server that skips time. */
let calls: { at: number; due: number | null }[] = [];
let answer: (call: number, response: ServerResponse) => void;
let nowMs = 0;
const serverTime = () => new Date(nowMs);

const env = await timeSkippingEnvironment();
await addSearchAttributes(env.client);
const store = await createTestStore({ WEBHOOK_TIMEOUT_SECONDS: '300' });
const server = createServer((request, response) => {
  request.resume();
  void noteCall(request.headers).then(() => answer(calls.length, response));
});
const port = await listenOnLoopback(server);
const common = {
  connection: env.nativeConnection,
  workflowBundle: { codePath: fromSetup('TEST_WORKFLOWS') },
};
const { sendWebhooks, retryWebhook } = createWebhookActivities(
  webhookContext(store, { now: serverTime }),
);
const workers = [
  await Worker.create({
    ...common,
    taskQueue: taskQueues.lifecycle,
    activities: leadActivities(store, serverTime),
  }),
  await Worker.create({
    ...common,
    taskQueue: taskQueues.webhooks,
    activities: {
      sendWebhooks: atServerTime(sendWebhooks),
      retryWebhook: atServerTime(retryWebhook),
    },
  }),
];
const running = Promise.all(workers.map((worker) => worker.run()));

afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  server.close();
  await store.close();
  await env.teardown();
});

async function noteCall(headers: IncomingHttpHeaders): Promise<void> {
  const text = `select next_attempt_at as due from webhook_deliveries where event_id = $1`;
  const [row] = await store.database.query<{ due: Date | null }>(text, [headers['webhook-id']]);
  nowMs = await env.currentTimeMs();
  calls.push({ at: nowMs, due: row?.due?.getTime() ?? null });
}

/** The server's clock is the only one that its workflows know. */
function atServerTime<Input, Output>(activity: (input: Input) => Promise<Output>) {
  return async (input: Input): Promise<Output> => {
    nowMs = await env.currentTimeMs();
    return activity(input);
  };
}

async function deliver(): Promise<TestDelivery> {
  calls = [];
  const endpoint = await makeEndpoint(store, `http://127.0.0.1:${port}/`);
  const delivery = await makeDelivery(store, endpoint);
  await signalLead(env.client, delivery.leadId, 'recover');
  await leadRun(env.client, delivery.leadId).result();
  return delivery;
}

/**
 * The waits that were recorded when a call had failed, none of which ended early. When the next call comes is the
 * machine's matter too.
 */
function waitsInSeconds(): number[] {
  for (const { at, due } of calls) expect(at).toBeGreaterThanOrEqual(due ?? 0);
  return calls.slice(1).map(({ due }, index) => ((due ?? 0) - (calls[index]?.at ?? 0)) / 1000);
}

test('the whole schedule: 8 attempts at 0 s, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h; then failed', async () => {
  answer = (_, response) => response.writeHead(503).end();
  const input = await deliver();
  expect(waitsInSeconds()).toEqual(SCHEDULE_SECONDS);
  expect(await deliveryRow(store, input)).toMatchObject({
    status: 'failed',
    attempts: 8,
    failureReason: 'Given up after 8 attempts; at the last one it answered 503.',
  });
  expect(await attemptRows(store, input)).toHaveLength(8);
});
