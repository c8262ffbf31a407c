import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { taskQueues } from '../workflows/contracts/task-queues.ts';
import type { ActivityContext } from '../activities/context.ts';
import { dncrWorkerOptions } from '../activities/dncr/worker-options.ts';
import { createHousekeepingActivities } from '../activities/maintenance/housekeeping.ts';
import { createLeadActivities } from '../activities/leads/lead-activities.ts';
import { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts';
import { CALL_SLOTS } from '../activities/webhooks/endpoint-limiter.ts';

export interface WorkerTarget {
  connection: NativeConnection;
  namespace: string;
}

const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));

/** One worker per task queue, each with its own concurrency, from one bundle of the workflows. */
export async function createWorkers(
  context: ActivityContext,
  target: WorkerTarget,
): Promise<Worker[]> {
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('WARN'),
  });
  const common = {
    ...target,
    workflowBundle,
    shutdownGraceTime: '15 seconds',
  } satisfies Partial<WorkerOptions>;
  const dncr = dncrWorkerOptions(context);
  const perQueue: Partial<WorkerOptions>[] = [
    {
      taskQueue: taskQueues.lifecycle,
      activities: { ...createLeadActivities(context), ...createHousekeepingActivities(context) },
      maxConcurrentActivityTaskExecutions: 50,
    },
    {
      taskQueue: taskQueues.webhooks,
      activities: createWebhookActivities(context),
      maxConcurrentActivityTaskExecutions: CALL_SLOTS,
    },
    ...(dncr ? [dncr] : []),
  ];
  return Promise.all(
    perQueue.map((options) => Worker.create({ ...common, ...options } as WorkerOptions)),
  );
}
