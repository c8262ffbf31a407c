import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { queues } from '../workflows/messages.ts';
import type { ActivityContext } from './context.ts';
import { createLeadActivities } from './lead-activities.ts';
import { createWebhookActivities } from './webhook-activities.ts';

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
  return Promise.all([
    Worker.create({
      ...common,
      taskQueue: queues.lifecycle,
      activities: createLeadActivities(context),
      maxConcurrentActivityTaskExecutions: 50,
    }),
    Worker.create({
      ...common,
      taskQueue: queues.webhooks,
      activities: createWebhookActivities(context),
      maxConcurrentActivityTaskExecutions: 200,
    }),
  ]);
}
