import { listDeliveries } from '../../store/webhooks/list-deliveries.ts';
import type { DeliveryView, TryView } from '../../store/webhooks/list-deliveries.ts';
import type { DeliveryStatus } from '../../store/webhooks/load-delivery.ts';
import type { Operator } from '../operator.ts';
import { endpointIdFrom, uuidFrom } from './endpoint-id.ts';
import { sinceFrom } from './since.ts';

export interface DeliveriesOptions {
  endpoint?: string;
  lead?: string;
  event?: string;
  status?: DeliveryStatus;
  since?: string;
  limit: number;
}

const SHOWN_OF_ANSWER = 120;

export async function showDeliveries(
  operator: Operator,
  options: DeliveriesOptions,
): Promise<void> {
  const { endpoint, lead, event, status, since, limit } = options;
  const deliveries = await listDeliveries(await operator.database(), {
    endpointId: endpoint === undefined ? null : endpointIdFrom(endpoint),
    leadId: lead === undefined ? null : uuidFrom(lead, 'a lead'),
    event: event ?? null,
    status: status ?? null,
    since: since === undefined ? null : sinceFrom(since, operator.now()),
    limit,
  });
  operator.show(deliveries, (list) =>
    list.length === 0 ? 'Nothing found.' : list.map(deliveryText).join('\n\n'),
  );
}

function deliveryText(delivery: DeliveryView): string {
  const { eventId, endpointId, eventType, leadId, url, tries } = delivery;
  return [
    `${eventId}/${endpointId}`,
    `  ${eventType} of lead ${leadId} to ${url}`,
    `  ${stateText(delivery)}`,
    ...tries.map(tryText),
  ].join('\n');
}

function stateText({ status, nextAttemptAt, finishedAt, failureReason }: DeliveryView): string {
  if (status === 'pending') return `pending, next try ${nextAttemptAt?.toISOString() ?? 'now'}`;
  const at = finishedAt?.toISOString() ?? '';
  return `${status} ${at}${failureReason === null ? '' : `: ${failureReason}`}`;
}

function tryText(
  { at, statusCode, latencyMs, error, responseHead }: TryView,
  index: number,
): string {
  const answer =
    responseHead === null ? '' : `  ${JSON.stringify(responseHead.slice(0, SHOWN_OF_ANSWER))}`;
  return `  try ${index + 1}  ${at}  ${statusCode ?? error}  ${latencyMs} ms${answer}`;
}
