import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startReceiver } from '../../dev/receiver/server.ts';
import type { Receiver } from '../../dev/receiver/server.ts';
import type { DeliveryInput } from '../../workflows/messages.ts';
import { deliveryOptions } from '../../workflows/delivery-options.ts';
import { workflowTypes } from '../../workflows/messages.ts';
import { createTestStore, makeDelivery, makeEndpoint } from './support.ts';
import type { TestEndpoint, TestStore } from './support.ts';
import { startWebhookWorker } from './worker.ts';
import type { WebhookWorker } from './worker.ts';

/** How many leads each of the two endpoints hears of; 500 in the measurement of docs/decisions. */
// eslint-disable-next-line no-restricted-properties -- a switch of the measurement
const LEADS = Number(process.env.FAIRNESS_LEADS ?? 60);
/** Fewer slots than the black hole would take if it could. */
const WORKER_SLOTS = 40;

let store: TestStore;
let receiver: Receiver;
let worker: WebhookWorker;

beforeAll(async () => {
  store = await createTestStore();
  [receiver, worker] = await Promise.all([
    startReceiver(),
    startWebhookWorker(store, WORKER_SLOTS),
  ]);
  receiver.setBehaviour({ mode: 'hang', path: '/hooks/black-hole' });
});
afterAll(async () => {
  // Ends the calls that hang, so that the worker has nothing in hand.
  await receiver.stop();
  for await (const { workflowId } of worker.client.workflow.list({
    query: `ExecutionStatus = 'Running'`,
  })) {
    await worker.client.workflow.getHandle(workflowId).terminate();
  }
  await worker.stop();
  await store.close();
});

async function deliveriesTo(endpoint: TestEndpoint): Promise<DeliveryInput[]> {
  const made = [];
  for (let count = 0; count < LEADS; count += 1) made.push(await makeDelivery(store, endpoint));
  return made;
}

const start = (input: DeliveryInput) =>
  worker.client.workflow.start(workflowTypes.webhookDelivery, deliveryOptions(input));

async function latencyMs(input: DeliveryInput): Promise<number> {
  const started = performance.now();
  await worker.deliver(input);
  return performance.now() - started;
}

/** In the rhythm of leads that come in one after the other. */
async function p99Of(deliveries: DeliveryInput[], beside: DeliveryInput[]): Promise<number> {
  const arrivals: Promise<number>[] = [];
  for (const [index, delivery] of deliveries.entries()) {
    const other = beside[index];
    if (other) await start(other);
    arrivals.push(latencyMs(delivery));
    await new Promise((later) => setTimeout(later, 40));
  }
  const sorted = (await Promise.all(arrivals)).sort((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0);
}

describe('an endpoint that hangs', () => {
  test('does not hold up the deliveries of another', async () => {
    const shop = await makeEndpoint(store, `${receiver.url}/hooks/shop`);
    const blackHole = await makeEndpoint(store, `${receiver.url}/hooks/black-hole`);
    await p99Of((await deliveriesTo(shop)).slice(0, 10), []);
    const alone = await p99Of(await deliveriesTo(shop), []);
    const beside = await p99Of(await deliveriesTo(shop), await deliveriesTo(blackHole));
    process.stderr.write(
      `p99 of ${LEADS} deliveries: ${alone} ms alone, ${beside} ms beside a black hole\n`,
    );
    const hanging = receiver.received().filter(({ path }) => path === '/hooks/black-hole');
    expect(hanging.length).toBeLessThanOrEqual(22);
    expect(beside).toBeLessThan(alone * 3 + 1000);
  }, 300_000);
});
