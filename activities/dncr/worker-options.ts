import type { WorkerOptions } from '@temporalio/worker';
import { checkTimeouts } from '../../domain/dncr/check-timeouts.ts';
import { taskQueues } from '../../workflows/contracts/task-queues.ts';
import type { ActivityContext } from '../context.ts';
import { createDncrActivities } from './dncr-activities.ts';
import { createDncrRegistry } from './registry.ts';

/**
 * What a worker of the DNCR queue needs beside its connection and its workflows; null where no registry
 * is configured. The server shares the rate among all workers of the queue.
 */
export function dncrWorkerOptions({
  config,
  database,
  now,
}: Pick<ActivityContext, 'config' | 'database' | 'now'>) {
  const settings = config.dncr;
  if (!settings) return null;
  const registry = createDncrRegistry(settings, now);
  const timeouts = checkTimeouts(settings);
  return {
    taskQueue: taskQueues.dncr,
    activities: createDncrActivities({ database, registry, timeouts: timeouts, now }),
    maxTaskQueueActivitiesPerSecond: settings.callsPerSecond,
    maxConcurrentActivityTaskExecutions: 20,
  } satisfies Partial<WorkerOptions>;
}
