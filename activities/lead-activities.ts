import { readLeadSnapshot } from '../store/routing/read-lead-snapshot.ts';
import type { LeadSnapshot } from '../workflows/messages.ts';
import { createClaimLead } from './claim-lead.ts';
import { createCloseMergeWindow } from './close-merge-window.ts';
import type { ActivityContext } from './context.ts';
import { createExpireFollowUp } from './expire-follow-up.ts';
import { createRouteLead } from './route-lead.ts';

/** What the lead's workflow does to the world. */
export function createLeadActivities(context: ActivityContext) {
  const { database, config } = context;
  return {
    readLead: ({ leadId }: { leadId: string }): Promise<LeadSnapshot | null> =>
      readLeadSnapshot(database, leadId, config.companyName),
    routeLead: createRouteLead(context),
    expireFollowUp: createExpireFollowUp(context),
    claimLead: createClaimLead(context),
    closeMergeWindow: createCloseMergeWindow(context),
  };
}

export type LeadActivities = ReturnType<typeof createLeadActivities>;
