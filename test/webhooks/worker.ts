import '../support/quiet-temporal.ts';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createWebhookActivities } from '../../activities/webhook-activities.ts';
import { CALL_SLOTS } from '../../activities/webhooks/endpoint-slots.ts';
import { deliveryOptions } from '../../workflows/delivery-options.ts';
import { queues, workflowTypes } from '../../workflows/messages.ts';
import type { DeliveryInput } from '../../workflows/messages.ts';
import { openTestTemporal } from '../support/temporal.ts';
import type { TestNamespace } from '../support/temporal.ts';
import { webhookContext } from './support.ts';
import type { TestStore } from './support.ts';

const workflowsPath = fileURLToPath(new URL('./workflows.ts', import.meta.url));

export interface WebhookWorker {
  target: TestNamespace;
  client: Client;
  deliver(input: DeliveryInput): Promise<unknown>;
  stop(): Promise<void>;
}

/** A worker for webhooks alone, with `callSlots` for activities, on a namespace of the test's own. */
export async function startWebhookWorker(
  store: TestStore,
  callSlots = CALL_SLOTS,
): Promise<WebhookWorker> {
  const { target, client, connection } = await openTestTemporal();
  const { address, namespace } = target;
  const nativeConnection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection: nativeConnection,
    namespace,
    taskQueue: queues.webhooks,
    workflowsPath,
    activities: createWebhookActivities(webhookContext(store, { callSlots })),
    maxConcurrentActivityTaskExecutions: callSlots,
    shutdownForceTime: '5 seconds',
  });
  const running = worker.run();
  return {
    target,
    client,
    deliver: (input) =>
      client.workflow.execute(workflowTypes.webhookDelivery, deliveryOptions(input)),
    async stop() {
      worker.shutdown();
      await running;
      await nativeConnection.close();
      await connection.close();
    },
  };
}
