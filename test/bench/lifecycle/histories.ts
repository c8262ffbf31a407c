import type { Client } from '@temporalio/client';

/** Figures of all workflows of one lead together. */
export interface Histories {
  events: number;
  workflowTasks: number;
  activities: number;
}

/** Reads the histories of all workflows that were started since then. */
export async function readHistories(client: Client, since: Date): Promise<Histories> {
  const sum: Histories = { events: 0, workflowTasks: 0, activities: 0 };
  const query = `StartTime >= "${since.toISOString()}"`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const event of events ?? []) {
      sum.events += 1;
      if (event.workflowTaskCompletedEventAttributes) sum.workflowTasks += 1;
      if (event.activityTaskScheduledEventAttributes) sum.activities += 1;
    }
  }
  return sum;
}
