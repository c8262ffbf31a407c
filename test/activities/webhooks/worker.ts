import '../../support/quiet-temporal.ts';
import { NativeConnection, Worker } from '@temporalio/worker';
import { fromSetup } from '../../support/environment.ts';
import { createLeadActivities } from '../../../activities/leads/lead-activities.ts';
import { createWebhookActivities } from '../../../activities/webhooks/webhook-activities.ts';
import { CALL_SLOTS } from '../../../activities/webhooks/endpoint-limiter.ts';
import { leadRun } from '../../../temporal/lead-lifecycle-client.ts';
import { taskQueues } from '../../../workflows/contracts/task-queues.ts';
import { openTestTemporal, signalLead } from '../../support/temporal.ts';
import { runWorkers, testActivityContext } from '../../support/worker.ts';
import { webhookContext, type TestStore } from './support.ts';

/** Workers for leads and their webhooks, with `callSlots` for these, on a namespace of the test's own. */
export async function startWebhookWorker(store: TestStore, callSlots = CALL_SLOTS) {
  const { target, client, connection } = await openTestTemporal();
  const { address, namespace } = target;
  const nativeConnection = await NativeConnection.connect({ address });
  const common = {
    connection: nativeConnection,
    namespace,
    workflowBundle: { codePath: fromSetup('TEST_WORKFLOWS') },
    shutdownForceTime: '5 minutes',
  } as const;
  const context = testActivityContext(store.database, store.config);
  const workers = [
    await Worker.create({
      ...common,
      taskQueue: taskQueues.lifecycle,
      activities: createLeadActivities(context),
    }),
    await Worker.create({
      ...common,
      taskQueue: taskQueues.webhooks,
      activities: createWebhookActivities(webhookContext(store, { callSlots })),
      maxConcurrentActivityTaskExecutions: callSlots,
    }),
  ];
  const running = runWorkers(workers, nativeConnection);
  const start = ({ leadId }: { leadId: string }) => signalLead(client, leadId, 'recover');
  return {
    target,
    client,
    /** Starts the run of the delivery's lead, as everything that makes a delivery due does. */
    start,
    /** The same; resolves when the run is over. */
    async deliver(delivery: { leadId: string }) {
      await start(delivery);
      await leadRun(client, delivery.leadId).result();
    },
    /** Ends the runs that are open, so that the worker has nothing in hand. */
    async stop() {
      const query = `ExecutionStatus = 'Running'`;
      const ends = [];
      for await (const { workflowId } of client.workflow.list({ query }))
        ends.push(client.workflow.getHandle(workflowId).terminate());
      // What ended meanwhile needs no end.
      await Promise.allSettled(ends);
      await running.stop();
      await connection.close();
    },
  };
}
