import { status } from '@grpc/grpc-js';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import {
  claimLeadUpdate,
  handOverLeadUpdate,
  leadEventSignal,
  leadLifecycleOptions,
  leadWorkflowId,
  type ClaimRequest,
  type HandOverRequest,
  type LeadEvent,
  type LeadEventSignal,
} from '../workflows/contracts/lead-lifecycle.ts';
import type * as workflows from '../workflows/index.ts';
import { hasGrpcStatus } from './connection.ts';

const WORKFLOW_TYPE = 'LeadLifecycle' satisfies keyof typeof workflows;
const SIGNAL_DEADLINE_MS = 5000;

/** Signals the lead's workflow, and starts its next run if none is open. Rejects after five seconds by default. */
export async function signalLead(
  client: Client,
  leadId: string,
  event: LeadEvent,
  deadlineMs = SIGNAL_DEADLINE_MS,
): Promise<void> {
  await client.withDeadline(Date.now() + deadlineMs, () =>
    client.workflow.signalWithStart<typeof workflows.LeadLifecycle, [LeadEventSignal]>(
      WORKFLOW_TYPE,
      { ...leadLifecycleOptions(leadId), signal: leadEventSignal, signalArgs: [{ event }] },
    ),
  );
}

/**
 * Gives up after five seconds. Awaits a query, which the run answers after the signals and which leaves
 * nothing in the history.
 */
export async function awaitRefresh(client: Client, leadId: string): Promise<void> {
  const query = () => leadRun(client, leadId).query('__temporal_workflow_metadata');
  await client.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, query).catch(() => null);
}

/** Makes one attempt. The claim's id is the Update's, so that a retried claim is the same claim. */
export function claimLead(client: Client, leadId: string, claim: ClaimRequest) {
  return updateLead(client, leadId, claimLeadUpdate, claim.claimId, claim);
}

/** Makes one attempt. The request's id is the Update's. */
export function handOverLead(client: Client, leadId: string, request: HandOverRequest) {
  return updateLead(client, leadId, handOverLeadUpdate, request.handOverId, request);
}

/** Sends an Update to the lead's run, and starts its next one if none is open. */
function updateLead<Outcome, Request>(
  client: Client,
  leadId: string,
  update: UpdateDefinition<Outcome, [Request]>,
  updateId: string,
  request: Request,
): Promise<Outcome> {
  const startWorkflowOperation = new WithStartWorkflowOperation<typeof workflows.LeadLifecycle>(
    WORKFLOW_TYPE,
    { ...leadLifecycleOptions(leadId), workflowIdConflictPolicy: 'USE_EXISTING' },
  );
  startWorkflowOperation.workflowHandle().catch(() => undefined);
  const options = { startWorkflowOperation, updateId, args: [request] as [Request] };
  return client.workflow.executeUpdateWithStart(update, options);
}

/** The newest run, unless another is named. */
export function leadRun(client: Client, leadId: string, runId?: string) {
  return client.workflow.getHandle<typeof workflows.LeadLifecycle>(leadWorkflowId(leadId), runId);
}

/**
 * Too many Updates in flight, a run whose tasks fail, or an overloaded server. The caller's own deadline
 * looks the same.
 */
export function isBusy(error: unknown): boolean {
  return hasGrpcStatus(error, [
    status.RESOURCE_EXHAUSTED,
    status.FAILED_PRECONDITION,
    status.UNAVAILABLE,
    status.DEADLINE_EXCEEDED,
    status.CANCELLED,
  ]);
}

const COMPLETED_FIRST = 'AcceptedUpdateCompletedWorkflow';

/** Whether the run completed before it could answer the Update. The next run takes it. */
export function isRunEnding(error: unknown): boolean {
  const errors = [error, error instanceof Error ? error.cause : undefined];
  return (
    hasGrpcStatus(error, [status.NOT_FOUND, status.ABORTED]) ||
    errors.some((each) => (each as { type?: string } | undefined)?.type === COMPLETED_FIRST)
  );
}
