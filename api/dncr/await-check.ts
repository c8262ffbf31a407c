import type { Client } from '@temporalio/client';
import {
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
} from '@temporalio/common';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { CheckTimeouts } from '../../domain/dncr/check-timeouts.ts';
import { dncrCheckWorkflowId, queues, workflowTypes } from '../../workflows/messages.ts';
import type { DncrCheckInput } from '../../workflows/messages.ts';

/** Waits for the checks that were asked for; fails as soon as all have ended and one of them failed. */
export async function awaitChecks(
  client: Client,
  checkIds: { own: string | null; others: readonly string[] },
  timeouts: CheckTimeouts,
): Promise<void> {
  const { own, others } = checkIds;
  const ends = await within(client, timeouts.answerMs, () =>
    Promise.allSettled([
      ...(own === null ? [] : [runCheck(client, own, timeouts)]),
      ...others.map((checkId) => joinCheck(client, checkId, timeouts)),
    ]),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function runCheck(client: Client, checkId: string, timeouts: CheckTimeouts): Promise<void> {
  await startCheck(client, checkId, timeouts);
  await resultOf(client, checkId);
}

/**
 * A check that somebody else has claimed numbers for. Should they have fallen before they could start its
 * workflow, it is started here: all it needs is its id.
 */
async function joinCheck(client: Client, checkId: string, timeouts: CheckTimeouts): Promise<void> {
  try {
    await resultOf(client, checkId);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    await runCheck(client, checkId, timeouts);
  }
}

async function startCheck(client: Client, checkId: string, timeouts: CheckTimeouts): Promise<void> {
  const start = () =>
    client.workflow.start(workflowTypes.dncrCheck, {
      workflowId: dncrCheckWorkflowId(checkId),
      taskQueue: queues.dncr,
      args: [{ checkId }] satisfies [DncrCheckInput],
      workflowExecutionTimeout: timeouts.checkMs,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      staticSummary: 'Do Not Call check',
    });
  try {
    await within(client, timeouts.startMs, start);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

async function resultOf(client: Client, checkId: string): Promise<void> {
  await client.workflow.getHandle(dncrCheckWorkflowId(checkId)).result();
}

/** The deadline ends the call; the timer ends the wait where a connection cannot even be made. */
async function within<T>(client: Client, ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('not in time')), ms);
  });
  try {
    return await Promise.race([client.withDeadline(Date.now() + ms, work), late]);
  } finally {
    clearTimeout(timer);
  }
}
