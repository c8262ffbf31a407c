import { setTimeout as sleep } from 'node:timers/promises';
import { isGrpcServiceError, WithStartWorkflowOperation } from '@temporalio/client';
import type { Client, Workflow } from '@temporalio/client';
import { leadOptions } from '../../../workflows/lead-options.ts';
import { CLAIM_UPDATE, workflowTypes } from '../../../workflows/messages.ts';
import type { ClaimOutcome, ClaimRequest } from '../../../workflows/messages.ts';
import type { Operator } from '../operator.ts';
import { withTemporal } from '../with-temporal.ts';

const DEADLINE_MS = 30_000;
const TRIES = 5;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

/**
 * The claim as an Update of the lead's workflow, which is started where none is open: a lead may have
 * waited in its pool for months. A run that completes just then gives the claim to the next one, and a
 * crowd is heard one after the other, since a workflow takes few Updates at once; the claim's id makes
 * each try the same claim.
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
        if (!isCrowded(error) && !(isRunEnding(error) && tries < TRIES)) throw error;
        await sleep(pauseMs(tries));
      }
    }
  });
}

function claimOnce(client: Client, leadId: string, claim: ClaimRequest): Promise<ClaimOutcome> {
  const startWorkflowOperation = new WithStartWorkflowOperation(workflowTypes.leadLifecycle, {
    ...leadOptions(leadId),
    workflowIdConflictPolicy: 'USE_EXISTING',
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

/** Spread, so that a crowd does not come back all at once. */
function pauseMs(tries: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * Math.random();
}

const GRPC_NOT_FOUND = 5;
const GRPC_RESOURCE_EXHAUSTED = 8;
const GRPC_ABORTED = 10;
const GRPC_UNAVAILABLE = 14;
const COMPLETED_FIRST = 'AcceptedUpdateCompletedWorkflow';

/** Too many Updates are under way, or this one was dropped before the workflow saw it; until the deadline. */
function isCrowded(error: unknown): boolean {
  return hasCode(error, [GRPC_RESOURCE_EXHAUSTED, GRPC_UNAVAILABLE]);
}

function isRunEnding(error: unknown): boolean {
  return (
    hasCode(error, [GRPC_NOT_FOUND, GRPC_ABORTED]) ||
    withCause(error).some((each) => (each as { type?: string })?.type === COMPLETED_FIRST)
  );
}

function hasCode(error: unknown, codes: readonly number[]): boolean {
  return withCause(error).some((each) => isGrpcServiceError(each) && codes.includes(each.code));
}

function withCause(error: unknown): unknown[] {
  return [error, error instanceof Error ? error.cause : undefined];
}
