import { listEndpoints } from '../../store/webhooks/endpoints.ts';
import type { EndpointView } from '../../store/webhooks/endpoints.ts';
import type { Operator } from '../operator.ts';
import { tableText } from '../text.ts';

const HEAD = ['endpoint', 'client', 'url', 'events', 'state'];

export async function listEndpointsOf(
  operator: Operator,
  { client }: { client?: string },
): Promise<void> {
  const endpoints = await listEndpoints(await operator.database(), client ?? null);
  operator.show(endpoints, (rows) =>
    tableText(
      HEAD,
      rows.map((row) => [row.endpointId, row.clientId, row.url, row.events.join('\n'), state(row)]),
    ),
  );
}

function state({ enabled, disabledReason, failingSince }: EndpointView): string {
  if (!enabled) return `off: ${disabledReason ?? 'by an operator'}`;
  return failingSince === null ? 'on' : `on, failing since ${failingSince.toISOString()}`;
}
