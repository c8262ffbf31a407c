import { createLeadSnapshotReader } from '../../store/leads/read-lead.ts';
import { closeMergeWindow } from '../../store/leads/write-lead.ts';
import type {
  ClaimRequest,
  ExpireFollowUpInput,
  HandOverRequest,
  LeadLifecycleInput,
} from '../../workflows/contracts/lead-lifecycle.ts';
import type { LeadSnapshot } from '../../workflows/contracts/lead-snapshot.ts';
import { withMissingAttributes, retryAfter, logTrace, type ActivityContext } from '../context.ts';
import { claimLead } from './claim-lead.ts';
import { expireFollowUp } from './expire-follow-up.ts';
import { handOverLead } from './hand-over-lead.ts';
import { createRouteGroups } from './route-groups.ts';
import { createRoutingTransactions } from './routing-transactions.ts';

export type LeadActivities = ReturnType<typeof createLeadActivities>;

export function createLeadActivities(
  context: ActivityContext,
  { longestMs }: { longestMs?: number } = {},
) {
  const { database, config, now } = context;
  const inTransaction = createRoutingTransactions(database);
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
      await route(leadId);
      return readSnapshot(leadId);
    },

    async expireFollowUp(input: ExpireFollowUpInput) {
      await inTransaction((sql) => expireFollowUp(context, sql, input));
      return readSnapshot(input.leadId);
    },

    claimLead: (claim: ClaimRequest & LeadLifecycleInput) =>
      inTransaction((sql) => claimLead(context, sql, claim)),

    handOverLead: (request: HandOverRequest & LeadLifecycleInput) =>
      inTransaction((sql) => handOverLead(context, sql, request)),

    /** Retried at the right time if the worker's clock is behind Temporal's. */
    async closeMergeWindow({ leadId }: LeadLifecycleInput): Promise<void> {
      const at = now();
      const endsAt = await closeMergeWindow(database, leadId, at);
      if (!endsAt) return;
      const leftMs = endsAt.getTime() - at.getTime();
      const message = `The merge window ends in ${leftMs} ms by the worker's clock.`;
      throw retryAfter('NotOverYet', leftMs, message);
    },
  };
}
