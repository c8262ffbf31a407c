import type { WorkflowClient } from '@temporalio/client';
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import PQueue from 'p-queue';
import { reopenDeliveries } from '../../../store/webhooks/reopen-deliveries.ts';
import type { Resend } from '../../../store/webhooks/reopen-deliveries.ts';
import { deliveryOptions } from '../../../workflows/delivery-options.ts';
import { workflowTypes } from '../../../workflows/messages.ts';
import type { DeliveryInput } from '../../../workflows/messages.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { reachedTemporal } from '../with-temporal.ts';
import { endpointIdFrom } from './endpoint-id.ts';
import { sinceFrom } from './since.ts';

export interface ResendOptions {
  failed: boolean;
  since?: string;
  endpoint?: string;
}

const STARTS_AT_ONCE = 20;

export async function resend(
  operator: Operator,
  id: string | undefined,
  options: ResendOptions,
): Promise<void> {
  const wanted = wish(id, options, operator.now());
  const { workflow } = await reachedTemporal(operator);
  const deliveries = await reopenDeliveries(await operator.database(), wanted);
  if (wanted.kind === 'one' && deliveries.length === 0) {
    throw new OperatorError(`${id} is no delivery, or its endpoint is switched off.`);
  }
  await startAll(workflow, deliveries);
  const resent = deliveries.map(({ eventId, endpointId }) => ({ eventId, endpointId }));
  operator.show({ resent }, () => resentText(resent));
}

function resentText(resent: readonly { eventId: string; endpointId: string }[]): string {
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

async function startAll(
  workflow: WorkflowClient,
  deliveries: readonly DeliveryInput[],
): Promise<void> {
  const queue = new PQueue({ concurrency: STARTS_AT_ONCE });
  await queue.addAll(
    deliveries.map((delivery) => async () => {
      // One that is still being tried starts over now, rather than at its next try.
      const workflowIdConflictPolicy = WorkflowIdConflictPolicy.TERMINATE_EXISTING;
      await workflow.start(workflowTypes.webhookDelivery, {
        ...deliveryOptions(delivery),
        workflowIdConflictPolicy,
      });
    }),
  );
}
