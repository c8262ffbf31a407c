import { TypedSearchAttributes, WorkflowIdReusePolicy } from '@temporalio/common';
import { deliveryWorkflowId, queues, searchAttributes } from './messages.ts';
import type { DeliveryInput } from './messages.ts';

/** A fairness key may have 64 bytes; a UTF-16 unit takes at most three. */
const FAIRNESS_KEY_UNITS = 21;

/** How the workflow of a delivery is started, by whom ever: a lead's workflow, a resend, the recovery. */
export function deliveryOptions(input: DeliveryInput) {
  const { eventId, endpointId, eventType, leadId, oauthClientId } = input;
  return {
    workflowId: deliveryWorkflowId(eventId, endpointId),
    taskQueue: queues.webhooks,
    // Ids and nothing else: whatever more the caller's object holds stays out of the history.
    args: [{ eventId, endpointId, leadId, eventType, oauthClientId }] as [DeliveryInput],
    staticSummary: `Webhook ${eventType} to endpoint ${endpointId}`,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    priority: { fairnessKey: oauthClientId.slice(0, FAIRNESS_KEY_UNITS) },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.leadId, value: leadId },
      { key: searchAttributes.endpointId, value: endpointId },
      { key: searchAttributes.eventType, value: eventType },
      { key: searchAttributes.oauthClientId, value: oauthClientId },
    ]),
  };
}
