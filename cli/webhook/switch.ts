import { disableEndpoint, enableEndpoint } from '../../store/webhooks/endpoints.ts';
import type { Operator } from '../operator.ts';
import { count } from '../text.ts';
import { assertFound, endpointIdFrom } from './endpoint-id.ts';

export async function enable(operator: Operator, text: string): Promise<void> {
  const endpointId = endpointIdFrom(text);
  const due = await enableEndpoint(await operator.database(), endpointId, operator.now());
  assertFound(due !== null, endpointId);
  operator.show({ endpointId, enabled: true, due }, () =>
    [
      `Endpoint ${endpointId} is on.`,
      ...(due > 0 ? [`${count(due, 'delivery', 'deliveries')} that still waited: sent now.`] : []),
      'What failed meanwhile is sent again with:',
      `  leadctl webhook resend --failed --endpoint ${endpointId}`,
    ].join('\n'),
  );
}

export async function disable(
  operator: Operator,
  text: string,
  options: { reason?: string },
): Promise<void> {
  const endpointId = endpointIdFrom(text);
  const reason = options.reason ?? `By ${operator.author}.`;
  assertFound(await disableEndpoint(await operator.database(), endpointId, reason), endpointId);
  operator.show({ endpointId, enabled: false, reason }, () => `Endpoint ${endpointId} is off.`);
}
