import type { Client } from '@temporalio/client';
import { LEAD_EVENT_SIGNAL, leadWorkflowId, queues, workflowTypes } from '../workflows/messages.ts';
import type { LeadEventSignal } from '../workflows/messages.ts';

const DEADLINE_MS = 5000;

/** Signals the lead's workflow, starting its next run when none is open. */
export async function signalLead(
  client: Client,
  leadId: string,
  event: LeadEventSignal['event'],
): Promise<void> {
  await client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.signalWithStart(workflowTypes.leadLifecycle, {
      workflowId: leadWorkflowId(leadId),
      taskQueue: queues.lifecycle,
      args: [{ leadId }],
      signal: LEAD_EVENT_SIGNAL,
      signalArgs: [{ event } satisfies LeadEventSignal],
      staticSummary: 'Lead from enquiry to owner',
    }),
  );
}
