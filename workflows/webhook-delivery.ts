import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { DeliverWebhook, DeliveryReport } from '../activities/deliver-webhook.ts';
import type { DeliveryInput } from './messages.ts';
import { pageOf } from './page.ts';

/**
 * One event to one endpoint. The activity's retries are the schedule of Events: each failed try names
 * its own next delay, and the last one ends the workflow as Failed.
 */
export async function WebhookDelivery(input: DeliveryInput): Promise<DeliveryReport> {
  setCurrentDetails(waiting(input));
  try {
    const report = await deliverer(input).deliverWebhook(input);
    setCurrentDetails(`**Delivered** to ${report.host}: ${report.outcome}.`);
    return report;
  } catch (error) {
    if (isCancellation(error)) throw error;
    const reason = reasonOf(error);
    setCurrentDetails(pageOf([`**Failed for good.** ${reason}`, sendAgain(input)]));
    throw ApplicationFailure.nonRetryable(reason, 'DeliveryFailed');
  }
}

/**
 * The policy below is only for tries that came to no end, such as those of a killed worker. Such a try
 * is noticed when its heartbeats stop.
 */
function deliverer({ eventType, endpointId }: DeliveryInput) {
  return proxyActivities<{ deliverWebhook: DeliverWebhook }>({
    summary: `webhook ${eventType} to ${endpointId}`,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  });
}

function waiting({ eventType, endpointId, leadId }: DeliveryInput): string {
  return pageOf([
    `**Delivering** \`${eventType}\` of lead \`${leadId}\` to endpoint \`${endpointId}\`.`,
    'Waiting for the endpoint to answer with 2xx. The pending activity shows how the last try ended and when the next one is due.',
  ]);
}

function sendAgain({ eventId, endpointId }: DeliveryInput): string {
  return `Send it again: \`leadctl webhook resend ${eventId}/${endpointId}\``;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
