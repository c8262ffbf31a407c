import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { taskQueues } from './task-queues.ts';

export interface DncrCheckInput {
  checkId: string;
}

export type DncrCheckResult = Partial<
  Record<'registered' | 'not_registered' | 'not_found' | 'unavailable', number>
>;

export const dncrCheckWorkflowId = (checkId: string): string => `dncr/${checkId}`;

/** Every process that waits for a check may start it, and the first one does. */
export function dncrCheckOptions(checkId: string, timeoutMs: number) {
  return {
    workflowId: dncrCheckWorkflowId(checkId),
    taskQueue: taskQueues.dncr,
    args: [{ checkId }] as [DncrCheckInput],
    workflowExecutionTimeout: timeoutMs,
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary: 'Do Not Call check',
  };
}
