import { createLeadSnapshotReader } from '../../store/leads/read-lead-snapshot.ts';
import { closeMergeWindow } from '../../store/leads/write-lead.ts';
import type { ActivityContext } from '../context.ts';
import { retryAfter } from '../retry-after.ts';
import { createClaimLead } from './claim-lead.ts';
import { createExpireFollowUp } from './expire-follow-up.ts';
import { createRouteLead } from './route-lead.ts';

/** The activities of the lead's workflow. */
export function createLeadActivities(context: ActivityContext) {
  const readSnapshot = createLeadSnapshotReader(context.database, context.config.companyName);
  return {
    readLead: ({ leadId }: { leadId: string }) => readSnapshot(leadId),
    routeLead: createRouteLead(context, readSnapshot),
    expireFollowUp: createExpireFollowUp(context, readSnapshot),
    claimLead: createClaimLead(context),
    closeMergeWindow: createCloseMergeWindow(context),
  };
}

export type LeadActivities = ReturnType<typeof createLeadActivities>;

/** Where the worker's clock is behind Temporal's, whose timer fired, the activity is retried in time. */
function createCloseMergeWindow({ database, now }: ActivityContext) {
  return async ({ leadId }: { leadId: string }): Promise<void> => {
    const at = now();
    const endsAt = await closeMergeWindow(database, leadId, at);
    if (!endsAt) return;
    const leftMs = endsAt.getTime() - at.getTime();
    const message = `By the clock of the worker the merge window ends in ${leftMs} ms.`;
    throw retryAfter('NotOverYet', leftMs, message);
  };
}
