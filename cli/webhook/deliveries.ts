import { listDeliveries } from '../../store/webhooks/list-deliveries.ts';
import type { DeliveryStatus } from '../../store/webhooks/load-delivery.ts';
import { reopenDeliveries } from '../../store/webhooks/reopen-deliveries.ts';
import type { Resend } from '../../store/webhooks/reopen-deliveries.ts';
import { parseUuid } from '../arguments.ts';
import type { Since } from '../arguments.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { deliveriesText, resentText } from '../views/webhook.ts';

interface DeliveriesOptions {
  endpoint?: string;
  lead?: string;
  event?: string;
  status?: DeliveryStatus;
  since?: Since;
  limit: number;
}

export async function showDeliveries(
  operator: Operator,
  { endpoint, lead, event, status, since, limit }: DeliveriesOptions,
): Promise<void> {
  const deliveries = await listDeliveries(await operator.database(), {
    endpointId: parseEndpoint(endpoint),
    leadId: lead === undefined ? null : parseUuid(lead, 'a lead'),
    event: event ?? null,
    status: status ?? null,
    since: since?.(operator.now()) ?? null,
    limit,
  });
  operator.show(deliveries, deliveriesText);
}

function parseEndpoint(text: string | undefined): string | null {
  return text === undefined ? null : parseUuid(text, 'an endpoint');
}

interface ResendOptions {
  failed: boolean;
  since?: Since;
  endpoint?: string;
}

/** Makes deliveries due again; the outbox row for the lead's workflow is in the same transaction. */
export async function resend(
  operator: Operator,
  id: string | undefined,
  options: ResendOptions,
): Promise<void> {
  const now = operator.now();
  const selection = selectDeliveries(id, options, now);
  const resent = await reopenDeliveries(await operator.database(), selection, now);
  if (selection.kind === 'one' && resent.length === 0) {
    throw new OperatorError(`${id} is no delivery, or its endpoint is switched off.`);
  }
  operator.show({ resent }, () => resentText(resent));
}

function selectDeliveries(
  id: string | undefined,
  { failed, since, endpoint }: ResendOptions,
  now: Date,
): Resend {
  const endpointId = parseEndpoint(endpoint);
  if (failed === (id !== undefined)) throw new OperatorError('Name one event, or say --failed.');
  if (id === undefined) return { kind: 'failed', endpointId, since: since?.(now) ?? null };
  if (since !== undefined) throw new OperatorError('--since goes with --failed.');
  const [eventId = '', to] = id.replace(/^webhook\//, '').split('/');
  return { kind: 'one', eventId, endpointId: parseEndpoint(to) ?? endpointId };
}
