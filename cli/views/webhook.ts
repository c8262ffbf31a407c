import { UNREADABLE_SECRET } from '../../domain/webhooks/secret.ts';
import type { EndpointOverview } from '../../store/webhooks/endpoints.ts';
import type { DeliveryView, TryView } from '../../store/webhooks/deliveries.ts';
import type { DeliveryKey } from '../../store/webhooks/attempts.ts';
import type { WebhookTestReport } from '../../workflows/contracts/webhook-test.ts';
import { tableOf } from '../table.ts';
import { count, fieldLines, figure, timeText } from '../text.ts';

const SHOWN_ONCE = 'The secret is not shown again.';

type AddedEndpoint = Record<'endpointId' | 'secret' | 'url', string> & { events: string[] };

export function addedText({
  alerts,
  ...endpoint
}: AddedEndpoint & { alerts?: AddedEndpoint }): string {
  const shown = alerts ? [endpoint, alerts] : [endpoint];
  const texts = shown.map(({ endpointId, ...added }) =>
    fieldLines([['endpoint', endpointId], ...Object.entries(added)]),
  );
  const note = alerts ? 'The secrets are not shown again.' : SHOWN_ONCE;
  return `${texts.join('\n\n')}\n${note}`;
}

export const endpointsText = tableOf<EndpointOverview>({
  endpoint: 'endpointId',
  client: 'client',
  url: 'url',
  events: 'events',
  state: endpointState,
  'calls, 24 h': ({ lastDay }) => figure(lastDay.calls),
  arrived: successText,
  'p50 / p99': latencyText,
  waiting: ({ waiting }) => figure(waiting),
  'failed, 24 h': ({ lastDay }) => figure(lastDay.failed),
  'next try': 'nextAttemptAt',
});

export function endpointText(endpoint: EndpointOverview & { isSecretReadable: boolean }): string {
  const { endpointId, lastDay, alerts } = endpoint;
  const fields = fieldLines([
    ['endpoint', endpointId],
    ['client', `${endpoint.client} (${endpoint.clientId})`],
    ['url', endpoint.url],
    ['events', endpoint.events],
    ['added', endpoint.createdAt],
    ['state', endpointState(endpoint)],
    ['secret', endpoint.isSecretReadable ? null : UNREADABLE_SECRET],
    ['last failure', endpoint.lastFailureAt],
    ['signs with the previous secret until', endpoint.previousSecretUntil],
    ['last 24 hours', lastDayText(endpoint)],
    ['waiting', endpoint.waiting],
    ['next try', endpoint.nextAttemptAt],
    ['failed', `${figure(lastDay.failed)} in the last 24 hours`],
    ['told when it fails', alerts.length > 0 ? alerts : 'nobody (leadctl webhook add --alerts)'],
    ['each call', `leadctl webhook deliveries --endpoint ${endpointId}`],
  ]);
  return fields;
}

function lastDayText(endpoint: EndpointOverview): string {
  const { calls, p50Ms, p99Ms } = endpoint.lastDay;
  if (p50Ms === null || p99Ms === null) return 'no call';
  const times = `p50 ${figure(p50Ms)} ms, p99 ${figure(p99Ms)} ms`;
  return `${count(calls, 'call')}, ${successText(endpoint)} arrived, ${times}`;
}

/** Rounds down: 100% means that every delivery succeeded. */
function successText({ lastDay: { successRate } }: EndpointOverview): string {
  return successRate === null ? '' : `${Math.floor(successRate * 1000) / 10} %`;
}

function latencyText({ lastDay: { p50Ms, p99Ms } }: EndpointOverview): string {
  return p50Ms === null || p99Ms === null ? '' : `${figure(p50Ms)} / ${figure(p99Ms)} ms`;
}

function endpointState(endpoint: EndpointOverview): string {
  const { enabled, disabledReason, failingSince, isClientActive } = endpoint;
  if (!enabled) return `off: ${disabledReason ?? 'by an operator'}`;
  if (!isClientActive) return 'on hold: its client is deactivated';
  return failingSince === null ? 'on' : `on, failing since ${timeText(failingSince)}`;
}

/** `cutShort`: when a third, older secret would have expired without this rotation. */
export function rotatedText(
  { secret, previousSecretUntil: until }: { secret: string; previousSecretUntil: string },
  { atOnce, cutShort }: { atOnce: boolean; cutShort: Date | null },
): string {
  const signed = atOnce
    ? 'Calls are signed with this secret only from now on.'
    : `Calls are signed with the previous secret too until ${timeText(until)}.`;
  const lines = [`secret  ${secret}`, signed];
  if (!atOnce && cutShort)
    lines.push(
      `The one before that, good until ${timeText(cutShort)} so far, signs no more: a receiver that has it refuses calls until it has another.`,
    );
  return [...lines, SHOWN_ONCE].join('\n');
}

/**
 * The request of an event may have begun, by another machine's clock, before the endpoint was disabled. An event that
 * is sent twice does no harm.
 */
const BEFORE_DISABLED_MS = 10 * 60_000;

/** `disabledAt` is null if unknown. */
export function enabledText(
  { endpointId, wasEnabled, due }: { endpointId: string; wasEnabled: boolean; due: number },
  disabledAt: Date | null,
): string {
  const since = disabledAt
    ? new Date(disabledAt.getTime() - BEFORE_DISABLED_MS).toISOString()
    : 'TIME';
  const meanwhile = [
    'Events that happened while it was off are not among them. To send all of that time:',
    `  leadctl webhook resend --endpoint ${endpointId} --since ${since}`,
    'The client can also read them at GET /public/events.',
  ];
  return [
    `Endpoint ${endpointId} ${wasEnabled ? 'was on already' : 'is on'}.`,
    ...(due > 0 ? [`${count(due, 'delivery', 'deliveries')} that still waited: sent now.`] : []),
    'Deliveries that failed for good are sent again with:',
    `  leadctl webhook resend --failed --endpoint ${endpointId}`,
    ...(wasEnabled ? [] : meanwhile),
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
    `  ${eventType}${eventType.startsWith('lead.') ? ' of' : ', carried by'} lead ${leadId} to ${url}`,
    `  ${deliveryState(delivery)}`,
    ...tries.map(attemptText),
  ].join('\n');
}

function deliveryState({ status, nextAttemptAt, finishedAt, failureReason }: DeliveryView): string {
  if (status === 'pending')
    return `pending, next try ${nextAttemptAt ? timeText(nextAttemptAt) : 'now'}`;
  return `${status} ${timeText(finishedAt)}${failureReason === null ? '' : `: ${failureReason}`}`;
}

const MAX_RESPONSE_CHARACTERS = 120;

function attemptText({ at, statusCode, latencyMs, error, responseHead }: TryView, index: number) {
  const head = responseHead?.slice(0, MAX_RESPONSE_CHARACTERS);
  const response = head === undefined ? '' : `  "${head}"`;
  return `  try ${index + 1}  ${timeText(at)}  ${statusCode ?? error}  ${latencyMs} ms${response}`;
}

export function resentText(resent: readonly DeliveryKey[]): string {
  if (resent.length === 0)
    return 'Nothing is sent again: no delivery that failed goes to an endpoint that is on. What is on its way: leadctl webhook deliveries --status pending';
  const keys = resent.map(({ eventId, endpointId }) => `${eventId}/${endpointId}`);
  return [...keys, `${resent.length} on their way.`].join('\n');
}
