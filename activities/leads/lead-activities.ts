import { ApplicationFailure } from '@temporalio/common';
import { claimLead } from '../../app/assignment/claim.ts';
import { expireFollowUp } from '../../app/assignment/follow-up.ts';
import { handOverLead } from '../../app/assignment/hand-over.ts';
import { createRouteGroups } from '../../app/assignment/route-groups.ts';
import {
  createTransactions,
  isLocked,
  LOCK_TIMEOUT_MS,
} from '../../app/assignment/transactions.ts';
import { logTrace } from '../../platform/log-fields.ts';
import { createLeadSnapshotReader } from '../../store/leads/read-lead.ts';
import { closeMergeWindow } from '../../store/leads/write-lead.ts';
import type {
  ClaimRequest,
  ExpireFollowUpInput,
  HandOverRequest,
  LeadLifecycleInput,
} from '../../workflows/contracts/lead-lifecycle.ts';
import type { LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';
import { withMissingAttributes, retryAfter, type ActivityContext } from '../context.ts';

export type LeadActivities = ReturnType<typeof createLeadActivities>;

export function createLeadActivities(
  context: ActivityContext,
  { longestMs }: { longestMs?: number } = {},
) {
  const { database, config, now } = context;
  const inTransaction = createTransactions(database);
  const route = createRouteGroups(context, inTransaction, longestMs);
  const readLead = createLeadSnapshotReader(database, config.companyName);

  async function readSnapshot(leadId: string): Promise<LeadSnapshot | null> {
    const found = await readLead(leadId);
    logTrace(found?.traceparent);
    return found && withMissingAttributes(found.snapshot, context.missingSearchAttributes());
  }

  return {
    readLead: ({ leadId }: LeadLifecycleInput) => readSnapshot(leadId),

    async routeLead({ leadId }: LeadLifecycleInput) {
      await route(leadId).catch(retryIfLocked);
      return readSnapshot(leadId);
    },

    async expireFollowUp(input: ExpireFollowUpInput) {
      const leftMs = await inTransaction((sql) => expireFollowUp(context, sql, input)).catch(
        retryIfLocked,
      );
      if (leftMs > 0) throw notOverYet('The response deadline', leftMs);
      return readSnapshot(input.leadId);
    },

    async claimLead(claim: ClaimRequest & LeadLifecycleInput) {
      const outcome = await inTransaction((sql) => claimLead(context, sql, claim)).catch(
        retryIfLocked,
      );
      if (outcome !== 'other_claim') return outcome;
      throw ApplicationFailure.nonRetryable('claimId is that of another claim.', 'OtherClaim');
    },

    handOverLead: (request: HandOverRequest & LeadLifecycleInput) =>
      inTransaction((sql) => handOverLead(context, sql, request)).catch(retryIfLocked),

    async closeMergeWindow({ leadId }: LeadLifecycleInput): Promise<void> {
      const at = now();
      const endsAt = await closeMergeWindow(database, leadId, at);
      if (endsAt) throw notOverYet('The merge window', endsAt.getTime() - at.getTime());
    },
  };
}

function retryIfLocked(error: unknown): never {
  if (!isLocked(error)) throw error;
  const delayMs = LOCK_TIMEOUT_MS * (1 + Math.random());
  throw retryAfter('Locked', delayMs, 'Another decision holds the lead or its agents.');
}

/** Retried at the right time if the worker's clock is behind Temporal's. */
function notOverYet(what: string, leftMs: number): ApplicationFailure {
  return retryAfter('NotOverYet', leftMs, `${what} ends in ${leftMs} ms by the worker's clock.`);
}
