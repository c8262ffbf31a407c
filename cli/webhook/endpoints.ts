import { randomBytes, randomUUID } from 'node:crypto';
import { isUuid } from '../../domain/uuid.ts';
import { endpointUrlError } from '../../domain/webhooks/endpoint-address.ts';
import {
  DEFAULT_EVENT_TYPES,
  endpointEventTypes,
  eventTypes,
  readEventTypes,
  type EventType,
} from '../../domain/webhooks/event-payloads.ts';
import {
  formerSecretEnd,
  canOpenSecret,
  formatSecret,
  SEAL_IV_BYTES,
  sealSecret,
  SECRET_BYTES,
  UNREADABLE_SECRET,
} from '../../domain/webhooks/secret.ts';
import {
  checkSecretsKey,
  disableEndpoint,
  enableEndpoint,
  findDisabledAt,
  findEndpointsBeginning,
  insertEndpoint,
  listEndpoints,
  loadEndpoint,
  rotateSecret,
  setEndpointUrl,
} from '../../store/webhooks/endpoints.ts';
import { mayProceed, type Consent } from '../confirm.ts';
import { findOneClient } from '../lead/find.ts';
import { OperatorError, connectToTemporal, type Operator } from '../operator.ts';
import { count, timeText } from '../text.ts';
import {
  addedText,
  enabledText,
  endpointsText,
  endpointText,
  rotatedText,
  testReportText,
} from '../views/webhook.ts';

interface AddOptions {
  client: string;
  url?: string;
  events?: string;
  alerts?: string;
  allowHttp: boolean;
}

/** Adds all endpoints or none. */
export async function addEndpoint(operator: Operator, options: AddOptions) {
  const { allowHttp } = options;
  const addresses = parseAddresses(options);
  const { clientId } = await findOneClient(operator, options.client);
  await checkSecretsKey(await operator.database(), operator.config.secretsKey);
  const added = addresses.map((address) => {
    const { secret, secretSealed } = newSecret(operator);
    const endpointId = randomUUID();
    const endpoint = { ...address, id: endpointId, clientId, secretSealed, allowHttp };
    return { endpoint, view: { endpointId, secret, ...address } };
  });
  const [view, alerts] = added.map((each) => each.view);
  if (!view) throw new OperatorError('Say --url, --alerts, or both.');
  const doubled = await findDoubled(operator, clientId, addresses);
  const manager = await operator.entityManager();
  await manager.transactional(async (em) => {
    for (const { endpoint } of added) {
      const isKnown = await insertEndpoint(em, endpoint, operator.now());
      if (!isKnown) throw new OperatorError(`Client ${clientId} not found.`);
    }
    await operator.showSecret({ ...view, ...(alerts && { alerts }) }, addedText);
  });
  for (const { endpointId } of doubled)
    operator.note(
      `This client has an endpoint at this URL already: ${endpointId}; each event of both is sent twice.`,
    );
}

/** Endpoints with the same URL would receive some events twice. */
async function findDoubled(
  operator: Operator,
  clientId: string,
  addresses: ReturnType<typeof parseAddresses>,
) {
  const endpoints = await readEndpoints(operator, { clientId });
  return endpoints.filter(
    (endpoint) =>
      endpoint.enabled &&
      addresses.some(
        ({ url, events }) =>
          url === endpoint.url && events.some((event) => endpoint.events.includes(event)),
      ),
  );
}

async function readEndpoints(
  operator: Operator,
  { clientId = null, endpointId = null }: Partial<Record<'clientId' | 'endpointId', string | null>>,
) {
  const database = await operator.database();
  return listEndpoints(database, { clientId, endpointId }, operator.now());
}

function parseAddresses({ url, events, alerts, allowHttp }: AddOptions) {
  if (url === undefined && events !== undefined)
    throw new OperatorError('--events goes with --url.');
  const forEvents = parseEvents(events ?? DEFAULT_EVENT_TYPES.join(','));
  const wanted = [
    { text: url, events: forEvents },
    { text: alerts, events: [...endpointEventTypes] },
  ];
  return wanted.flatMap(({ text, events: names }) =>
    text === undefined ? [] : [{ url: parseUrl(text, allowHttp), events: names }],
  );
}

function parseUrl(text: string, allowHttp: boolean): string {
  const urlError = endpointUrlError(text, allowHttp);
  if (urlError !== null) throw new OperatorError(`The address cannot be used. ${urlError}`);
  return new URL(text).href;
}

function parseEvents(list: string): string[] {
  const { events, unknown } = readEventTypes(list);
  if (unknown.length === 0 && events.length > 0) return events;
  const issue =
    unknown.length > 0 ? `Event ${unknown.join(', ')} not found.` : 'No event is named.';
  throw new OperatorError(`${issue} There are: ${eventTypes.join(', ')}.`);
}

function newSecret({ config }: Operator) {
  const secret = formatSecret(randomBytes(SECRET_BYTES));
  const iv = randomBytes(SEAL_IV_BYTES);
  return { secret, secretSealed: sealSecret(secret, config.secretsKey, iv) };
}

export async function showEndpoints(operator: Operator, { client }: { client?: string }) {
  const clientId = client === undefined ? null : (await findOneClient(operator, client)).clientId;
  operator.show(await readEndpoints(operator, { clientId }), endpointsText);
}

export async function showEndpoint(operator: Operator, id: string) {
  const endpoint = await findEndpoint(operator, id);
  const isSecretReadable = await readsSecret(operator, endpoint.endpointId);
  operator.show({ ...endpoint, isSecretReadable }, endpointText);
}

async function readsSecret(operator: Operator, endpointId: string): Promise<boolean> {
  const endpoint = await loadEndpoint(await operator.database(), endpointId);
  assertFound(endpoint !== null, endpointId);
  return canOpenSecret(endpoint.secretSealed, operator.config.secretsKey);
}

/** A shorter beginning is probably a mistake. */
const BEGINNING = /^[0-9a-f]{4}[0-9a-f-]*$/;

/** Does not look up a whole id. */
export async function findEndpointId(operator: Operator, text: string): Promise<string> {
  const beginning = text.trim().toLowerCase();
  if (isUuid(beginning)) return beginning;
  if (!BEGINNING.test(beginning))
    throw new OperatorError(
      `${text} is not an endpoint id (a UUID) or its first four characters or more; see leadctl webhook list.`,
    );
  const database = await operator.database();
  const [endpoint, ...others] = await findEndpointsBeginning(database, beginning);
  if (!endpoint)
    throw new OperatorError(`No endpoint id begins with ${beginning}; see leadctl webhook list.`);
  if (others.length === 0) return endpoint.endpointId;
  throw new OperatorError([
    `Several endpoint ids begin with ${beginning}:`,
    ...[endpoint, ...others].map(({ endpointId, url }) => `  ${endpointId}  ${url}`),
  ]);
}

export async function findEndpoint(operator: Operator, id: string) {
  const endpointId = await findEndpointId(operator, id);
  const [endpoint] = await readEndpoints(operator, { endpointId });
  assertFound(endpoint !== undefined, endpointId);
  return endpoint;
}

function assertFound(isFound: boolean, endpointId: string): asserts isFound {
  if (!isFound) throw new OperatorError(`Endpoint ${endpointId} not found.`);
}

export async function rotateSigningSecret(
  operator: Operator,
  id: string,
  { lostKey = false, ...options }: { atOnce: boolean; lostKey?: boolean },
) {
  const endpointId = await findEndpointId(operator, id);
  if (!lostKey) await assertKeyReads(operator, endpointId);
  const atOnce = options.atOnce || lostKey;
  const { secret, secretSealed } = newSecret(operator);
  const now = operator.now();
  const until = formerSecretEnd(now, { atOnce });
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

/** Both secrets sign during a rotation, so the former secret must be readable. */
async function assertKeyReads(operator: Operator, endpointId: string): Promise<void> {
  if (await readsSecret(operator, endpointId)) return;
  await checkSecretsKey(await operator.database(), operator.config.secretsKey);
  throw new OperatorError([
    UNREADABLE_SECRET,
    `Where the former key is lost: leadctl webhook rotate ${endpointId} --lost-key`,
  ]);
}

export async function editEndpoint(
  operator: Operator,
  id: string,
  { url: text, allowHttp }: { url: string; allowHttp: boolean },
) {
  const { endpointId, waiting } = await findEndpoint(operator, id);
  const url = parseUrl(text, allowHttp);
  await setEndpointUrl(await operator.database(), { endpointId, url, allowHttp });
  const sent = `Endpoint ${endpointId} gets its next call at ${url}, with the same secret.`;
  const waits = `${count(waiting, 'delivery', 'deliveries')} to it ${waiting === 1 ? 'waits' : 'wait'}: leadctl webhook enable ${endpointId} sends what waits now.`;
  operator.show({ endpointId, url, waiting }, () => (waiting > 0 ? `${sent}\n${waits}` : sent));
}

export async function enable(operator: Operator, id: string) {
  const endpointId = await findEndpointId(operator, id);
  const database = await operator.database();
  const disabledAt = await findDisabledAt(database, endpointId);
  const enabled = await enableEndpoint(database, endpointId, operator.now());
  assertFound(enabled !== null, endpointId);
  operator.show({ endpointId, enabled: true, ...enabled }, (shown) =>
    enabledText(shown, disabledAt),
  );
}

export async function disable(
  operator: Operator,
  id: string,
  { reason = `By ${operator.author}.`, ...options }: Consent & { reason?: string },
) {
  const { endpointId, url, waiting, enabled, disabledReason } = await findEndpoint(operator, id);
  if (!enabled) {
    const since = await findDisabledAt(await operator.database(), endpointId);
    return operator.show({ endpointId, enabled, reason: disabledReason, since }, (shown) => {
      const when = shown.since === null ? '' : ` since ${timeText(shown.since)}`;
      const head = `Endpoint ${endpointId} is off already${when}`;
      return `${head}: ${shown.reason ?? 'by an operator'}\nNothing was changed.`;
    });
  }
  const what = `${count(waiting, 'delivery', 'deliveries')} to ${url} that still ${waiting === 1 ? 'waits' : 'wait'} will fail, and later events are not sent to it.`;
  const outlook = `leadctl webhook enable ${endpointId} takes it back, but for these deliveries`;
  const size = { endpointId, waiting };
  if (!(await mayProceed(operator, { what, size, outlook }, options))) return;
  const change = { endpointId, reason, eventId: `evt_${randomUUID()}`, now: operator.now() };
  assertFound(await disableEndpoint(await operator.database(), change), endpointId);
  operator.show({ endpointId, enabled: false, reason }, () => `Endpoint ${endpointId} is off.`);
}

/** The worker makes the call. Fails if the test was not delivered. */
export async function testEndpoint(
  operator: Operator,
  id: string,
  { type }: { type?: EventType } = {},
) {
  const endpointId = await findEndpointId(operator, id);
  const input = { endpointId, testId: randomUUID(), ...(type && { type }) };
  const { runWebhookTest } = await import('../../temporal/webhook-test-client.ts');
  const report = await runWebhookTest(await connectToTemporal(operator), input).catch(explainError);
  operator.show(report, testReportText);
  if (!report.delivered) throw new OperatorError('The endpoint did not take the test.');
}

async function explainError(error: unknown): Promise<never> {
  const { WorkflowFailedError } = await import('@temporalio/client');
  const { ActivityFailure, TimeoutFailure } = await import('@temporalio/common');
  if (!(error instanceof WorkflowFailedError)) throw error;
  const { cause } = error;
  if (cause instanceof TimeoutFailure)
    throw new OperatorError('No worker picked up the test within a minute. Is a worker running?');
  const reason = cause instanceof ActivityFailure ? cause.cause?.message : cause?.message;
  throw new OperatorError(`The test could not be made: ${reason ?? error.message}`);
}
