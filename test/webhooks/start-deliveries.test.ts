import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReceiver } from '../../dev/receiver/server.ts';
import type { Receiver } from '../../dev/receiver/server.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { deliveryWorkflowId, queues } from '../../workflows/messages.ts';
import { createTestStore, deliveryRow, makeDelivery, makeEndpoint } from './support.ts';
import type { TestStore } from './support.ts';
import { startWebhookWorker } from './worker.ts';
import type { WebhookWorker } from './worker.ts';

let store: TestStore;
let receiver: Receiver;
let worker: WebhookWorker;

beforeAll(async () => {
  store = await createTestStore();
  [receiver, worker] = await Promise.all([startReceiver(), startWebhookWorker(store)]);
});
afterAll(async () => {
  await receiver.stop();
  await worker.stop();
  await store.close();
});

test('a lead waits for the starts only, and starting twice does no harm', async () => {
  receiver.setBehaviour({ mode: 'fail', path: '/hooks/dead' });
  const shop = await makeEndpoint(store, `${receiver.url}/hooks/shop`);
  const dead = await makeEndpoint(store, `${receiver.url}/hooks/dead`);
  const deliveries = [await makeDelivery(store, shop), await makeDelivery(store, dead)];
  await worker.client.workflow.execute('Parent', {
    workflowId: `parent/${randomUUID()}`,
    taskQueue: queues.webhooks,
    args: [deliveries],
  });
  const [arriving, failing] = deliveries;
  if (!arriving || !failing) throw new Error('unreachable');
  await waitUntil(
    async () => expect(await deliveryRow(store, arriving)).toMatchObject({ status: 'delivered' }),
    { what: 'the delivery' },
  );
  const id = deliveryWorkflowId(failing.eventId, failing.endpointId);
  const child = worker.client.workflow.getHandle(id);
  expect((await child.describe()).status.name).toBe('RUNNING');
  await child.terminate();
});
