import { taskQueues } from './task-queues.ts';

export const HOUSEKEEPING_SCHEDULE_ID = 'housekeeping-daily';

export const housekeepingOptions = {
  taskQueue: taskQueues.lifecycle,
  staticSummary: 'Daily tidying',
};
