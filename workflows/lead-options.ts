import { leadWorkflowId, queues } from './messages.ts';
import type { LeadLifecycleInput } from './messages.ts';
import { listOf, pageOf } from './page.ts';

/** How the workflow of a lead is started, by whom ever: the API, the relay, a claim. */
export function leadOptions(leadId: string) {
  return {
    workflowId: leadWorkflowId(leadId),
    taskQueue: queues.lifecycle,
    args: [{ leadId }] as [LeadLifecycleInput],
    staticSummary: 'Lead from enquiry to owner',
    staticDetails: pageOf([
      'Where it stands: see Current Details.',
      listOf('More, in a terminal', [
        `holder, clock, timeline, events: \`leadctl lead show ${leadId}\``,
        `every rule and agent of each decision: \`leadctl lead explain ${leadId}\``,
      ]),
    ]),
  };
}
