import type { DeliveryKey } from '../../store/webhooks/load-delivery.ts';
import { reopenDeliveries } from '../../store/webhooks/reopen-deliveries.ts';
import type { Resend } from '../../store/webhooks/reopen-deliveries.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { endpointIdFrom } from './endpoint-id.ts';
import { sinceFrom } from './since.ts';

export interface ResendOptions {
  failed: boolean;
  since?: string;
  endpoint?: string;
}

/** Makes deliveries due again; the leads' workflows are signalled by the outbox, in the same transaction. */
export async function resend(
  operator: Operator,
  id: string | undefined,
  options: ResendOptions,
): Promise<void> {
  const now = operator.now();
  const wanted = wish(id, options, now);
  const resent = await reopenDeliveries(await operator.database(), wanted, now);
  if (wanted.kind === 'one' && resent.length === 0) {
    throw new OperatorError(`${id} is no delivery, or its endpoint is switched off.`);
  }
  operator.show({ resent }, () => resentText(resent));
}

function resentText(resent: readonly DeliveryKey[]): string {
  if (resent.length === 0) {
    return 'Nothing is sent again: no delivery that failed goes to an endpoint that is on. What is on its way: leadctl webhook deliveries --status pending';
  }
  return [
    ...resent.map((one) => `${one.eventId}/${one.endpointId}`),
    `${resent.length} on their way.`,
  ].join('\n');
}

function wish(id: string | undefined, options: ResendOptions, now: Date): Resend {
  const { failed, since, endpoint } = options;
  const endpointId = endpoint === undefined ? null : endpointIdFrom(endpoint);
  if (failed === (id !== undefined)) throw new OperatorError('Name one event, or say --failed.');
  if (id === undefined) {
    return {
      kind: 'failed',
      endpointId,
      since: since === undefined ? null : sinceFrom(since, now),
    };
  }
  if (since !== undefined) throw new OperatorError('--since goes with --failed.');
  const [eventId = '', to] = id.replace(/^webhook\//, '').split('/');
  return { kind: 'one', eventId, endpointId: to === undefined ? endpointId : endpointIdFrom(to) };
}
