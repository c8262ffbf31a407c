import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import pTimeout from 'p-timeout';
import { dncrCheckOptions, dncrCheckWorkflowId } from '../workflows/contracts/dncr-check.ts';
import type * as workflows from '../workflows/index.ts';

const WORKFLOW_TYPE = 'DncrCheck' satisfies keyof typeof workflows;

export interface DncrWaitTimeouts {
  /** Until Temporal accepted the start. */
  startMs: number;
  /** Until all checks have ended. */
  answerMs: number;
  checkMs: number;
}

/** Rejects once all have ended if one of them failed. */
export async function awaitDncrChecks(
  client: Client,
  { own, others }: { own: string | null; others: readonly string[] },
  timeouts: DncrWaitTimeouts,
): Promise<void> {
  const results = await withTimeout(client, timeouts.answerMs, () =>
    Promise.allSettled([
      ...(own === null ? [] : [runCheck(client, own, timeouts)]),
      ...others.map((checkId) => joinCheck(client, checkId, timeouts)),
    ]),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

async function runCheck(client: Client, checkId: string, timeouts: DncrWaitTimeouts) {
  const options = dncrCheckOptions(checkId, timeouts.checkMs);
  try {
    await withTimeout(client, timeouts.startMs, () =>
      client.workflow.start<typeof workflows.DncrCheck>(WORKFLOW_TYPE, options),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  await awaitResult(client, checkId);
}

/** Starts the check if the process that leased the numbers ended before it could. */
async function joinCheck(client: Client, checkId: string, timeouts: DncrWaitTimeouts) {
  try {
    await awaitResult(client, checkId);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await runCheck(client, checkId, timeouts);
  }
}

async function awaitResult(client: Client, checkId: string): Promise<void> {
  const workflowId = dncrCheckWorkflowId(checkId);
  await client.workflow.getHandle<typeof workflows.DncrCheck>(workflowId).result();
}

/** The deadline ends the call. The timer ends the wait if no connection can be made. */
function withTimeout<T>(client: Client, ms: number, work: () => Promise<T>): Promise<T> {
  return pTimeout(client.withDeadline(Date.now() + ms, work), { milliseconds: ms });
}
