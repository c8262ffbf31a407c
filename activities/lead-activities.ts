import { createClaimLead } from './claim-lead.ts';
import { createCloseMergeWindow } from './close-merge-window.ts';
import type { ActivityContext } from './context.ts';
import { createExpireFollowUp } from './expire-follow-up.ts';
import { createRouteLead } from './route-lead.ts';

/** What the lead's workflow does to the world. */
export function createLeadActivities(context: ActivityContext) {
  return {
    routeLead: createRouteLead(context),
    expireFollowUp: createExpireFollowUp(context),
    claimLead: createClaimLead(context),
    closeMergeWindow: createCloseMergeWindow(context),
  };
}

export type LeadActivities = ReturnType<typeof createLeadActivities>;
