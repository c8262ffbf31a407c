import { randomBytes, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createWebhookActivities } from '../../../activities/webhooks/webhook-activities.ts';
import type { WebhookContext } from '../../../activities/webhooks/call-endpoint.ts';
import { startReceiver, type BehaviourInput } from '../../../dev/receiver/server.ts';
import type { Config } from '../../../platform/config.ts';
import { hashSecret } from '../../../domain/clients/credentials.ts';
import { formatSecret, sealSecret } from '../../../domain/webhooks/secret.ts';
import { connectDatabase, type Database } from '../../../store/db/database.ts';
import { insertEndpoint } from '../../../store/webhooks/endpoints.ts';
import type { DeliveryKey } from '../../../store/webhooks/attempts.ts';
import type {
  DeliveryInput,
  DeliveryReport,
  SendWebhooksInput,
} from '../../../workflows/contracts/webhook-delivery.ts';
import { testConfig } from '../../support/api.ts';
import { createTestDatabase, withEntityManager } from '../../support/database.ts';

export interface TestStore {
  databaseUrl: string;
  database: Database;
  config: Config;
  close(): Promise<void>;
}

export async function createTestStore(variables: Record<string, string> = {}): Promise<TestStore> {
  const { url: databaseUrl, drop } = await createTestDatabase();
  const config = testConfig(databaseUrl, variables);
  const database = await connectDatabase({
    url: databaseUrl,
    poolSize: 12,
    connectTimeoutMs: 60_000,
  });
  const close = async () => {
    await database.close();
    await drop();
  };
  return { databaseUrl, database, config, close };
}

/** What the makers of rows need of a store; a `TestApi` has it too. */
type Connected = Pick<TestStore, 'database' | 'config'>;

export async function makeClient({ database }: Connected): Promise<string> {
  const clientId = `client-${randomUUID()}`;
  await database.query(
    `insert into oauth_clients (id, client_id, name, secret_hash, created_at) values ($1, $2, 'Shop', $3, now())`,
    [randomUUID(), clientId, hashSecret('')],
  );
  return clientId;
}

export interface TestEndpoint {
  endpointId: string;
  clientId: string;
  secret: string;
}

export async function makeEndpoint(store: Connected, url: string): Promise<TestEndpoint> {
  const clientId = await makeClient(store);
  const secret = formatSecret(randomBytes(32));
  const secretSealed = sealSecret(secret, store.config.secretsKey, randomBytes(12));
  const id = randomUUID();
  const endpoint = { id, clientId, url, events: ['lead.created'], secretSealed, allowHttp: true };
  await withEntityManager(store, (em) => insertEndpoint(em, endpoint, new Date()));
  return { endpointId: id, clientId, secret };
}

export interface TestDelivery extends DeliveryInput {
  leadId: string;
  body: string;
}

/** A store, and a receiver at which each endpoint has a path of its own. */
export async function openWebhookDesk(
  variables: Record<string, string>,
  options?: Parameters<typeof startReceiver>[0],
) {
  const store = await createTestStore(variables);
  const receiver = await startReceiver(options);
  beforeEach(() => receiver.clear());
  afterAll(async () => {
    await receiver.stop();
    await store.close();
  });
  let paths = 0;
  /** An endpoint that behaves so, and a delivery to it. */
  async function prepare(behaviour: Omit<BehaviourInput, 'path'> = { mode: 'ok' }) {
    const path = `/hooks/${(paths += 1)}`;
    receiver.setBehaviour({ ...behaviour, path });
    const url = `${receiver.url}${path}`;
    const endpoint = await makeEndpoint(store, url);
    receiver.setSecret(endpoint.secret, path);
    return { path, url, endpoint, delivery: await makeDelivery(store, endpoint) };
  }
  return { store, receiver, prepare };
}

/** The endpoint has failed for so many hours, the last time so many hours ago. */
export async function hasFailedFor(
  { database }: Connected,
  { endpointId }: TestEndpoint,
  hours: number,
  lastHours = 0,
): Promise<void> {
  await database.query(
    `update webhook_endpoints set failing_since = now() - $2 * interval '1 hour',
       last_failure_at = now() - $3 * interval '1 hour' where id = $1`,
    [endpointId, hours, lastHours],
  );
}

/** An event of a new lead, which waits for nothing else, to be delivered to the endpoint. */
export async function makeDelivery(
  { database }: Connected,
  { endpointId, clientId }: TestEndpoint,
  text = 'فيلا في دبي',
): Promise<TestDelivery> {
  const [leadId, eventId, contactId] = [randomUUID(), `evt_${randomUUID()}`, randomUUID()];
  const data = { leadId, note: text, sequence: 1 };
  const body = JSON.stringify({ type: 'lead.created', timestamp: new Date().toISOString(), data });
  await database.query(
    `with contact as (insert into contacts (id, created_at) values ($2, now())),
       client as (select id from oauth_clients where client_id = $3),
       lead as (
         insert into leads (id, contact_id, client_id, created_at, updated_at, funnel_id, merge_window_ends_at, merge_window_closed_at, assignment_status)
         select $1, $2, id, now(), now(), (select id from funnels limit 1), now(), now(), 'unassigned' from client),
       event as (
         insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
         select $4, $1, id, 'lead.created', 1, $5, now() from client)
     insert into webhook_deliveries (event_id, endpoint_id, lead_id, created_at) values ($4, $6, $1, now())`,
    [leadId, contactId, clientId, eventId, body, endpointId],
  );
  return { eventId, endpointId, leadId, oauthClientId: clientId, generation: 0, body };
}

/** The next event of the same lead, to be delivered to the same endpoint. */
export async function addDelivery(
  { database }: TestStore,
  { leadId, endpointId, oauthClientId }: TestDelivery,
): Promise<TestDelivery> {
  const eventId = `evt_${randomUUID()}`;
  const body = JSON.stringify({ type: 'lead.assigned', data: { leadId } });
  await database.query(
    `with event as (
       insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
       select $1, $2, client_id, 'lead.assigned', max(sequence) + 1, $3, now()
       from webhook_events where lead_id = $2 group by client_id)
     insert into webhook_deliveries (event_id, endpoint_id, lead_id, created_at) values ($1, $4, $2, now())`,
    [eventId, leadId, body, endpointId],
  );
  return { eventId, endpointId, leadId, oauthClientId, generation: 0, body };
}

export interface DeliveryRow {
  status: string;
  attempts: number;
  nextAttemptAt: Date | null;
  failureReason: string | null;
  finishedAt: Date | null;
}

export async function deliveryRow({ database }: TestStore, { eventId, endpointId }: DeliveryKey) {
  const row = await database.queryOne<DeliveryRow>(
    `select status, attempts, next_attempt_at as "nextAttemptAt", failure_reason as "failureReason",
       finished_at as "finishedAt"
     from webhook_deliveries where event_id = $1 and endpoint_id = $2`,
    [eventId, endpointId],
  );
  return row as DeliveryRow;
}

export async function letItBeDue({ database }: TestStore, { eventId, endpointId }: DeliveryKey) {
  await database.query(
    `update webhook_deliveries set next_attempt_at = created_at
     where event_id = $1 and endpoint_id = $2 and status = 'pending'`,
    [eventId, endpointId],
  );
}

export interface AttemptRow {
  at: Date;
  status: number | null;
  latencyMs: number;
  error: string | null;
  head: string | null;
}

export function attemptRows({ database }: TestStore, { eventId, endpointId }: DeliveryKey) {
  return database.query<AttemptRow>(
    `select at, status_code as status, latency_ms as "latencyMs", error, response_head as head
     from webhook_attempts where event_id = $1 and endpoint_id = $2 order by at, id`,
    [eventId, endpointId],
  );
}

export interface EndpointRow {
  enabled: boolean;
  disabledReason: string | null;
  failingSince: Date | null;
}

export async function endpointRow({ database }: TestStore, { endpointId }: TestEndpoint) {
  const row = await database.queryOne<EndpointRow>(
    `select enabled, disabled_reason as "disabledReason", failing_since as "failingSince"
     from webhook_endpoints where id = $1`,
    [endpointId],
  );
  return row as EndpointRow;
}

export function webhookContext(
  store: TestStore,
  over: Partial<WebhookContext> = {},
): WebhookContext {
  const { database, config } = store;
  return { database, config, now: () => new Date(), newId: randomUUID, random: () => 0, ...over };
}

const logger = new DefaultLogger('ERROR', () => undefined);

/** The activities as a worker runs them, without a Temporal server. */
export function createTestActivities(store: TestStore, over: Partial<WebhookContext> = {}) {
  const { sendWebhooks, retryWebhook } = createWebhookActivities(webhookContext(store, over));
  const environment = () => new MockActivityEnvironment({}, { logger });
  return {
    sendWebhooks: (input: SendWebhooksInput): Promise<DeliveryReport[]> =>
      environment().run(sendWebhooks, input),
    retryWebhook: (input: DeliveryInput): Promise<DeliveryReport> =>
      environment().run(retryWebhook, input),
  };
}

export function createAttempts(store: TestStore, over: Partial<WebhookContext> = {}) {
  return createTestActivities(store, over).retryWebhook;
}
