import { queues, workflowTypes } from '../../../workflows/messages.ts';
import type { Scenario } from './lead-scenarios.ts';

export const housekeeping: Scenario = async ({ temporal }) => {
  const workflowId = 'housekeeping-daily';
  await temporal.workflow.execute(workflowTypes.housekeeping, {
    workflowId,
    taskQueue: queues.lifecycle,
    args: [],
  });
  return workflowId;
};
