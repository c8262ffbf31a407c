import { housekeepingOptions } from '../../../workflows/contracts/housekeeping.ts';
import type { Housekeeping } from '../../../workflows/housekeeping.ts';
import type { Scenario } from './lead-scenarios.ts';

export const housekeeping: Scenario = async ({ temporal }) => {
  const workflowId = 'housekeeping-daily';
  await temporal.workflow.execute<typeof Housekeeping>('Housekeeping', {
    workflowId,
    ...housekeepingOptions,
  });
  return workflowId;
};
