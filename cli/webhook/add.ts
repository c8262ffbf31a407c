import { randomUUID } from 'node:crypto';
import { eventTypes, readEventTypes } from '../../domain/webhooks/event-payloads.ts';
import { endpointUrlError } from '../../domain/webhooks/endpoint.ts';
import { insertEndpoint } from '../../store/webhooks/endpoints.ts';
import { OperatorError } from '../operator.ts';
import type { Operator } from '../operator.ts';
import { newSecret } from './secret.ts';

export interface AddOptions {
  client: string;
  url: string;
  events: string;
  allowHttp: boolean;
}

export async function addEndpoint(operator: Operator, options: AddOptions): Promise<void> {
  const events = wantedEvents(options.events);
  const fault = endpointUrlError(options.url, options.allowHttp);
  if (fault !== null) throw new OperatorError(`The address cannot be used. ${fault}`);
  const { secret, sealed: secretSealed } = newSecret(operator);
  const { client: clientId, allowHttp } = options;
  const { href: url } = new URL(options.url);
  const endpoint = { id: randomUUID(), clientId, url, events, secretSealed, allowHttp };
  const database = await operator.database();
  await database.transaction(async (sql) => {
    const isKnown = await insertEndpoint(sql, endpoint, operator.now());
    if (!isKnown) throw new OperatorError(`There is no client ${clientId}.`);
    await operator.showSecret({ endpointId: endpoint.id, secret, url, events }, asText);
  });
}

function wantedEvents(list: string): string[] {
  const { events, unknown } = readEventTypes(list);
  if (unknown.length === 0 && events.length > 0) return events;
  const fault =
    unknown.length > 0 ? `There is no event ${unknown.join(', ')}.` : 'No event is named.';
  throw new OperatorError(`${fault} There are: ${eventTypes.join(', ')}.`);
}

function asText(made: {
  endpointId: string;
  secret: string;
  url: string;
  events: string[];
}): string {
  return [
    `endpoint  ${made.endpointId}`,
    `secret    ${made.secret}`,
    `url       ${made.url}`,
    `events    ${made.events.join(', ')}`,
    'The secret is not shown again.',
  ].join('\n');
}
