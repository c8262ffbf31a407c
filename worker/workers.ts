import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { taskQueues } from '../workflows/contracts/task-queues.ts';
import type { ActivityContext } from '../activities/context.ts';
import { checkTimeouts } from '../domain/dncr/check.ts';
import { createDncrActivities } from '../activities/dncr/dncr-activities.ts';
import { createDncrRegistry } from '../activities/dncr/registry.ts';
import { createHousekeepingActivities } from '../activities/maintenance/housekeeping.ts';
import { createLeadActivities } from '../activities/leads/lead-activities.ts';
import { createWebhookActivities } from '../activities/webhooks/webhook-activities.ts';
import { CALL_SLOTS } from '../activities/webhooks/endpoint-limiter.ts';
import { hideErrorMessages, logActivities } from './activity-interceptors.ts';
import { loadWorkflows } from './workflow-bundle.ts';

/** The SDK does not name this option. Its 5 s ended a worker that started on an overloaded machine. */
const LOADING_LIMIT = '30 seconds';

/** By default, tasks would be repeated without end. Postgres owns the state for the next run. */
export const workflowFailureErrorTypes: WorkerOptions['workflowFailureErrorTypes'] = {
  '*': ['NondeterminismError'],
};

/** One version for all: a pinned run's activity goes to its version only if that version polls the queue. */
export async function createWorkers(
  context: ActivityContext,
  target: { connection: NativeConnection; namespace: string },
  version: WorkerDeploymentVersion | null = null,
): Promise<Worker[]> {
  const workflowBundle = await loadWorkflows(context.config.workflowBundle);
  const common = {
    ...target,
    shutdownGraceTime: '15 seconds',
    isolateExecutionTimeout: LOADING_LIMIT,
    workflowFailureErrorTypes,
    interceptors: { activity: [hideErrorMessages] },
    ...(version && { workerDeploymentOptions: pinnedTo(version) }),
  };
  return Promise.all(
    workersOf(context).map(({ maxCachedWorkflows, ...options }) => {
      const workflows = maxCachedWorkflows ? { workflowBundle, maxCachedWorkflows } : {};
      return Worker.create({ ...common, ...options, ...workflows } as WorkerOptions);
    }),
  );
}

/** Only queues with workflows have a thread, of 55 MB. Replaying a short history costs less than keeping the run. */
export function workersOf(context: ActivityContext): Partial<WorkerOptions>[] {
  const dncr = dncrWorkerOptions(context);
  return [
    {
      taskQueue: taskQueues.lifecycle,
      activities: { ...createLeadActivities(context), ...createHousekeepingActivities(context) },
      interceptors: { activity: [hideErrorMessages, logActivities] },
      maxConcurrentActivityTaskExecutions: 50,
      maxCachedWorkflows: 100,
    },
    {
      taskQueue: taskQueues.webhooks,
      activities: createWebhookActivities(context),
      maxConcurrentActivityTaskExecutions: CALL_SLOTS,
    },
    ...(dncr ? [dncr] : []),
  ];
}

function pinnedTo(version: WorkerDeploymentVersion): WorkerOptions['workerDeploymentOptions'] {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' };
}

/** Null if no registry is configured. The server enforces the rate over all workers of the queue. */
export function dncrWorkerOptions(
  context: Pick<ActivityContext, 'config' | 'database' | 'missingSearchAttributes' | 'now'>,
) {
  const settings = context.config.dncr;
  if (!settings) return null;
  const registry = createDncrRegistry(settings, context.now);
  const timeouts = checkTimeouts(settings);
  return {
    taskQueue: taskQueues.dncr,
    activities: createDncrActivities({ ...context, registry, timeouts }),
    maxTaskQueueActivitiesPerSecond: settings.callsPerSecond,
    maxConcurrentActivityTaskExecutions: 20,
    maxCachedWorkflows: 50,
  } satisfies Partial<WorkerOptions>;
}
