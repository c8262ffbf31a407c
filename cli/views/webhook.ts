import type { EndpointView } from '../../store/webhooks/endpoints.ts';
import type { DeliveryView, TryView } from '../../store/webhooks/deliveries.ts';
import type { DeliveryKey } from '../../store/webhooks/load-delivery.ts';
import type { WebhookTestReport } from '../../workflows/contracts/webhook-test.ts';
import { count, fieldLines, tableOf } from '../text.ts';

const SHOWN_ONCE = 'The secret is not shown again.';

export function addedText({ endpointId, ...added }: { endpointId: string }): string {
  return `${fieldLines([['endpoint', endpointId], ...Object.entries(added)])}\n${SHOWN_ONCE}`;
}

export const endpointsText = tableOf<EndpointView>({
  endpoint: 'endpointId',
  client: 'clientId',
  url: 'url',
  events: ({ events }) => events.join('\n'),
  state: endpointState,
});

function endpointState({ enabled, disabledReason, failingSince }: EndpointView): string {
  if (!enabled) return `off: ${disabledReason ?? 'by an operator'}`;
  return failingSince === null ? 'on' : `on, failing since ${failingSince.toISOString()}`;
}

/** `cutShort`: until when a third, older secret would have signed without this rotation. */
export function rotatedText(
  { secret, previousSecretUntil: until }: { secret: string; previousSecretUntil: string },
  { atOnce, cutShort }: { atOnce: boolean; cutShort: Date | null },
): string {
  const lines = [`secret  ${secret}`];
  if (atOnce) lines.push('Calls are signed with this secret only from now on.');
  else lines.push(`Calls are signed with the previous secret too until ${until}.`);
  if (!atOnce && cutShort)
    lines.push(
      `The one before that, good until ${cutShort.toISOString()} so far, signs no more: a receiver that has it refuses calls until it has another.`,
    );
  return [...lines, SHOWN_ONCE].join('\n');
}

export function enabledText({ endpointId, due }: { endpointId: string; due: number }): string {
  return [
    `Endpoint ${endpointId} is on.`,
    ...(due > 0 ? [`${count(due, 'delivery', 'deliveries')} that still waited: sent now.`] : []),
    'What failed meanwhile is sent again with:',
    `  leadctl webhook resend --failed --endpoint ${endpointId}`,
  ].join('\n');
}

export function testReportText(report: WebhookTestReport): string {
  const { host, delivered, outcome, latencyMs, webhookId, answer } = report;
  const head = `${delivered ? 'Delivered' : 'Not delivered'} to ${host}: ${outcome} (${latencyMs} ms, ${webhookId}).`;
  return answer ? `${head}\n\n${answer}` : head;
}

export function deliveriesText(deliveries: readonly DeliveryView[]): string {
  if (deliveries.length === 0) return 'Nothing found.';
  return deliveries.map(deliveryText).join('\n\n');
}

function deliveryText(delivery: DeliveryView): string {
  const { eventId, endpointId, eventType, leadId, url, tries } = delivery;
  return [
    `${eventId}/${endpointId}`,
    `  ${eventType} of lead ${leadId} to ${url}`,
    `  ${deliveryState(delivery)}`,
    ...tries.map(attemptText),
  ].join('\n');
}

function deliveryState({ status, nextAttemptAt, finishedAt, failureReason }: DeliveryView): string {
  if (status === 'pending') return `pending, next try ${nextAttemptAt?.toISOString() ?? 'now'}`;
  const at = finishedAt?.toISOString() ?? '';
  return `${status} ${at}${failureReason === null ? '' : `: ${failureReason}`}`;
}

const MAX_RESPONSE_CHARACTERS = 120;

function attemptText({ at, statusCode, latencyMs, error, responseHead }: TryView, index: number) {
  const head = responseHead?.slice(0, MAX_RESPONSE_CHARACTERS);
  const response = head === undefined ? '' : `  "${head}"`;
  return `  try ${index + 1}  ${at}  ${statusCode ?? error}  ${latencyMs} ms${response}`;
}

export function resentText(resent: readonly DeliveryKey[]): string {
  if (resent.length === 0) {
    return 'Nothing is sent again: no delivery that failed goes to an endpoint that is on. What is on its way: leadctl webhook deliveries --status pending';
  }
  const keys = resent.map(({ eventId, endpointId }) => `${eventId}/${endpointId}`);
  return [...keys, `${resent.length} on their way.`].join('\n');
}
