import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError, WithStartWorkflowOperation } from '@temporalio/client';
import type { Client, Workflow } from '@temporalio/client';
import {
  CLAIM_UPDATE,
  leadWorkflowId,
  queues,
  workflowTypes,
} from '../../../workflows/messages.ts';
import type { ClaimOutcome, ClaimRequest } from '../../../workflows/messages.ts';
import type { Operator } from '../operator.ts';
import { withTemporal } from '../with-temporal.ts';

const DEADLINE_MS = 30_000;
const TRIES = 5;
const BETWEEN_TRIES_MS = 200;

/**
 * The claim as an Update of the lead's workflow, which is started where none is open: a lead may have
 * waited in its pool for months. A run that completes just then gives the claim to the next one; its
 * id makes that the same claim.
 */
export async function sendClaim(
  operator: Operator,
  leadId: string,
  claim: ClaimRequest,
): Promise<ClaimOutcome> {
  return withTemporal(operator, DEADLINE_MS, async (client) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await claimOnce(client, leadId, claim);
      } catch (error) {
        if (tries === TRIES || !isRunEnding(error)) throw error;
        await sleep(BETWEEN_TRIES_MS * tries);
      }
    }
  });
}

function claimOnce(client: Client, leadId: string, claim: ClaimRequest): Promise<ClaimOutcome> {
  const startWorkflowOperation = new WithStartWorkflowOperation(workflowTypes.leadLifecycle, {
    workflowId: leadWorkflowId(leadId),
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: queues.lifecycle,
    args: [{ leadId }],
    staticSummary: 'Lead from enquiry to owner',
  });
  startWorkflowOperation.workflowHandle().catch(() => undefined);
  return client.workflow.executeUpdateWithStart<Workflow, ClaimOutcome, [ClaimRequest]>(
    CLAIM_UPDATE,
    {
      startWorkflowOperation,
      updateId: claim.claimId,
      args: [claim],
    },
  );
}

const GRPC_NOT_FOUND = 5;
const GRPC_ABORTED = 10;
const COMPLETED_FIRST = 'AcceptedUpdateCompletedWorkflow';

function isRunEnding(error: unknown): boolean {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  return causes.some(
    (cause) =>
      (isGrpcServiceError(cause) && [GRPC_NOT_FOUND, GRPC_ABORTED].includes(cause.code)) ||
      (cause as { type?: string } | undefined)?.type === COMPLETED_FIRST,
  );
}
