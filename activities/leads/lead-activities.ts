import { createLeadSnapshotReader } from '../../store/leads/read-lead-snapshot.ts';
import { createClaimLead } from './claim-lead.ts';
import { createCloseMergeWindow } from './close-merge-window.ts';
import type { ActivityContext } from '../context.ts';
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
