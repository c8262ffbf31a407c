import { taskQueues } from './task-queues.ts';

/** How many rows were deleted, by kind. */
export type HousekeepingResult = Record<string, number>;

export const HOUSEKEEPING_SCHEDULE_ID = 'housekeeping-daily';

export const housekeepingOptions = {
  taskQueue: taskQueues.lifecycle,
  staticSummary: 'Daily tidying',
};
