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

/** Starts the lead's next run if none is open. */
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

/** The run answers a query after the signals, and a query leaves no event in the history. */
export async function awaitRefresh(client: Client, leadId: string): Promise<void> {
  const query = () => leadRun(client, leadId).query('__temporal_workflow_metadata');
  await client.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, query).catch(() => null);
}

/** The Update has the claim's id, so that a retried claim is the same claim. */
export function claimLead(client: Client, leadId: string, claim: ClaimRequest) {
  return updateLead(client, leadId, claimLeadUpdate, claim.claimId, claim);
}

export function handOverLead(client: Client, leadId: string, request: HandOverRequest) {
  return updateLead(client, leadId, handOverLeadUpdate, request.handOverId, request);
}

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

export function leadRun(client: Client, leadId: string) {
  return client.workflow.getHandle<typeof workflows.LeadLifecycle>(leadWorkflowId(leadId));
}

/** Too many Updates in flight, a run whose tasks fail, or an overloaded server. A deadline looks the same. */
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

/** The run completed before it could answer the Update. The next run takes it. */
export function isRunEnding(error: unknown): boolean {
  const errors = [error, error instanceof Error ? error.cause : undefined];
  return (
    hasGrpcStatus(error, [status.NOT_FOUND, status.ABORTED]) ||
    errors.some((each) => (each as { type?: string } | undefined)?.type === COMPLETED_FIRST)
  );
}
