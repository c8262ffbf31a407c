import { randomBytes, randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, TimeoutFailure } from '@temporalio/common';
import { endpointUrlError } from '../../domain/webhooks/endpoint.ts';
import { eventTypes, readEventTypes } from '../../domain/webhooks/event-payloads.ts';
import {
  formatSecret,
  sealSecret,
  SEAL_IV_BYTES,
  SECRET_BYTES,
} from '../../domain/webhooks/secret.ts';
import {
  disableEndpoint,
  enableEndpoint,
  insertEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../store/webhooks/endpoints.ts';
import { runWebhookTest } from '../../temporal/webhook-test-client.ts';
import { parseUuid } from '../arguments.ts';
import { OperatorError, type Operator } from '../operator.ts';
import {
  addedText,
  enabledText,
  endpointsText,
  rotatedText,
  testReportText,
} from '../views/webhook.ts';
import { connectToTemporal } from '../with-temporal.ts';

type AddOptions = Record<'client' | 'url' | 'events', string> & { allowHttp: boolean };

export async function addEndpoint(operator: Operator, options: AddOptions) {
  const { client: clientId, allowHttp } = options;
  const events = parseEvents(options.events);
  const urlError = endpointUrlError(options.url, allowHttp);
  if (urlError !== null) throw new OperatorError(`The address cannot be used. ${urlError}`);
  const { href: url } = new URL(options.url);
  const { secret, secretSealed } = newSecret(operator);
  const endpoint = { id: randomUUID(), clientId, url, events, secretSealed, allowHttp };
  const manager = await operator.entityManager();
  await manager.transactional(async (em) => {
    const isKnown = await insertEndpoint(em, endpoint, operator.now());
    if (!isKnown) throw new OperatorError(`There is no client ${clientId}.`);
    await operator.showSecret({ endpointId: endpoint.id, secret, url, events }, addedText);
  });
}

function parseEvents(list: string): string[] {
  const { events, unknown } = readEventTypes(list);
  if (unknown.length === 0 && events.length > 0) return events;
  const issue =
    unknown.length > 0 ? `There is no event ${unknown.join(', ')}.` : 'No event is named.';
  throw new OperatorError(`${issue} There are: ${eventTypes.join(', ')}.`);
}

function newSecret({ config }: Operator) {
  const secret = formatSecret(randomBytes(SECRET_BYTES));
  const iv = randomBytes(SEAL_IV_BYTES);
  return { secret, secretSealed: sealSecret(secret, config.secretsKey, iv) };
}

export async function showEndpoints(operator: Operator, { client }: { client?: string }) {
  operator.show(await listEndpoints(await operator.database(), client ?? null), endpointsText);
}

function assertFound(isFound: boolean, endpointId: string): asserts isFound {
  if (!isFound) throw new OperatorError(`There is no endpoint ${endpointId}.`);
}

const BOTH_SECRETS_MS = 24 * 3_600_000;

export async function rotateSigningSecret(
  operator: Operator,
  id: string,
  { atOnce }: { atOnce: boolean },
) {
  const endpointId = parseUuid(id, 'an endpoint');
  const { secret, secretSealed } = newSecret(operator);
  const now = operator.now();
  const until = new Date(now.getTime() + (atOnce ? 0 : BOTH_SECRETS_MS));
  const manager = await operator.entityManager();
  await manager.transactional(async (em) => {
    const rotated = await rotateSecret(em, endpointId, secretSealed, until);
    assertFound(rotated !== null, endpointId);
    const { formerUntil } = rotated;
    const cutShort = formerUntil && formerUntil > now ? formerUntil : null;
    const view = { endpointId, secret, previousSecretUntil: until.toISOString() };
    await operator.showSecret(view, (shown) => rotatedText(shown, { atOnce, cutShort }));
  });
}

export async function enable(operator: Operator, id: string) {
  const endpointId = parseUuid(id, 'an endpoint');
  const due = await enableEndpoint(await operator.database(), endpointId, operator.now());
  assertFound(due !== null, endpointId);
  operator.show({ endpointId, enabled: true, due }, enabledText);
}

export async function disable(operator: Operator, id: string, options: { reason?: string }) {
  const endpointId = parseUuid(id, 'an endpoint');
  const { reason = `By ${operator.author}.` } = options;
  const em = await operator.entityManager();
  assertFound(await disableEndpoint(em, endpointId, reason), endpointId);
  operator.show({ endpointId, enabled: false, reason }, () => `Endpoint ${endpointId} is off.`);
}

/** The worker makes the call, as for real events. Fails when the test was not delivered. */
export async function testEndpoint(operator: Operator, id: string) {
  const input = { endpointId: parseUuid(id, 'an endpoint'), testId: randomUUID() };
  const report = await runWebhookTest(await connectToTemporal(operator), input).catch(explainError);
  operator.show(report, testReportText);
  if (!report.delivered) throw new OperatorError('The endpoint did not take the test.');
}

function explainError(error: unknown): never {
  if (!(error instanceof WorkflowFailedError)) throw error;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) {
    throw new OperatorError('No worker took the test up within a minute: is one running?');
  }
  const reason = cause instanceof ActivityFailure ? cause.cause?.message : cause?.message;
  throw new OperatorError(`The test could not be made: ${reason ?? error.message}`);
}
