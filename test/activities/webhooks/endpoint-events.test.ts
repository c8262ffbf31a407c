import { randomUUID } from 'node:crypto';
import type { BehaviourInput } from '../../../dev/receiver/server.ts';
import { buildEndpointEvent, endpointEventTypes } from '../../../domain/webhooks/event-payloads.ts';
import { readLeadEvents } from '../../../store/leads/read-lead.ts';
import { disableEndpoint, enableEndpoint } from '../../../store/webhooks/endpoints.ts';
import { readEvents } from '../../../store/webhooks/event-feed.ts';
import { recordFailure } from '../../../store/webhooks/attempts.ts';
import {
  addDelivery,
  createAttempts,
  hasFailedFor,
  letItBeDue,
  makeDelivery,
  openWebhookDesk,
  type TestDelivery,
  type TestEndpoint,
} from './support.ts';

const { store, ...desk } = await openWebhookDesk({
  WEBHOOK_RETRY_SECONDS: '5,300,1800,7200',
});

/** An endpoint that behaves so, another one of its client for alerts, and a delivery to the first. */
async function prepare(behaviour: Omit<BehaviourInput, 'path'> = { mode: 'fail', status: 503 }) {
  const prepared = await desk.prepare(behaviour);
  return { ...prepared, alertsId: await addAlerts(prepared.endpoint) };
}

async function addAlerts({ endpointId }: TestEndpoint): Promise<string> {
  const id = randomUUID();
  await store.database.query(
    `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, created_at)
     select $1, client_id, 'https://alerts.example/', $3, secret_sealed, now() from webhook_endpoints where id = $2`,
    [id, endpointId, endpointEventTypes],
  );
  return id;
}

async function attemptAll(...deliveries: readonly TestDelivery[]): Promise<void> {
  for (const delivery of deliveries) await letItBeDue(store, delivery);
  await Promise.allSettled(deliveries.map(createAttempts(store)));
}

interface Told {
  to: string;
  type: string;
  data: Record<string, unknown>;
}

/** What is to be delivered to other endpoints of the endpoint's client, each with an outbox row for the lead's run. */
async function toldOf({ endpointId }: TestEndpoint): Promise<Told[]> {
  const rows = await store.database.query<{ to: string; body: string; signalled: number }>(
    `select d.endpoint_id as to, e.body,
       (select count(*)::int from lead_outbox o where o.lead_id = d.lead_id and o.event = 'endpoint_alert') as signalled
     from webhook_deliveries d join webhook_events e on e.id = d.event_id
     where e.client_id = (select client_id from webhook_endpoints where id = $1) and e.sequence is null
     order by e.created_at`,
    [endpointId],
  );
  return rows.map(({ to, body, signalled }) => {
    expect(signalled).toBeGreaterThan(0);
    const { type, data } = JSON.parse(body);
    return { to, type, data };
  });
}

describe('endpoint.failing', () => {
  test('is told once, by the first failure after a day', async () => {
    const { endpoint, url, alertsId, delivery } = await prepare();
    await hasFailedFor(store, endpoint, 23.9, 1);
    await attemptAll(delivery);
    expect(await toldOf(endpoint)).toEqual([]);
    await hasFailedFor(store, endpoint, 24.1, 1);
    await attemptAll(delivery);
    const { endpointId } = endpoint;
    const data = { endpointId, url, lastStatusCode: 503, lastError: 'status' };
    const type = 'endpoint.failing';
    expect(await toldOf(endpoint)).toMatchObject([{ to: alertsId, type, data }]);
    await attemptAll(delivery);
    expect(await toldOf(endpoint)).toHaveLength(1);
  });

  test('is told once by attempts that fail together', async () => {
    const { endpoint, delivery } = await prepare({ mode: 'close' });
    const more = await Promise.all([1, 2, 3, 4].map(() => makeDelivery(store, endpoint)));
    await hasFailedFor(store, endpoint, 30, 7);
    await attemptAll(delivery, ...more);
    const data = { lastStatusCode: null, lastError: 'connection_closed' };
    expect(await toldOf(endpoint)).toMatchObject([{ data }]);
  });

  test('is not told when another call got through meanwhile', async () => {
    const { endpoint, url, delivery } = await prepare();
    const { endpointId } = endpoint;
    const at = new Date();
    const failingSince = new Date(at.getTime() - 30 * 3_600_000);
    const data = { endpointId, url, failingSince: failingSince.toISOString() };
    const last = { lastStatusCode: 503, lastError: 'status' };
    const alert = buildEndpointEvent(
      'endpoint.failing',
      { id: 'evt_never', at },
      { ...data, ...last },
    );
    const attempt = { statusCode: 503, latencyMs: 1, error: 'status', responseHead: null };
    const isRecorded = await recordFailure(
      store.database,
      { ...delivery, at, ...attempt },
      {
        url,
        status: 'pending',
        nextAttemptAt: at,
        failureReason: null,
        failingSince,
        switchOff: null,
        attemptsBefore: 0,
        alert,
      },
    );
    expect([isRecorded, await toldOf(endpoint)]).toEqual([true, []]);
  });
});

describe('endpoint.disabled', () => {
  test.each([
    ['by 410', { mode: 'gone' }, 2, 'gone'],
    ['after five days', { mode: 'fail' }, 5 * 24, 'failing'],
  ] as const)('is told %s', async (_, behaviour, hours, reason) => {
    const { endpoint, url, alertsId, delivery } = await prepare(behaviour);
    const second = await addDelivery(store, delivery);
    await hasFailedFor(store, endpoint, hours, 1);
    await attemptAll(delivery, second);
    const data = { endpointId: endpoint.endpointId, url, reason };
    expect(await toldOf(endpoint)).toMatchObject([
      { to: alertsId, type: 'endpoint.disabled', data },
    ]);
  });

  test('is told when an operator switches it off, once until it is on again', async () => {
    const { endpoint } = await prepare();
    const { endpointId } = endpoint;
    const switchOff = () =>
      disableEndpoint(store.database, {
        endpointId,
        reason: 'a private reason',
        eventId: `evt_${randomUUID()}`,
        now: new Date(),
      });
    expect([await switchOff(), await switchOff()]).toEqual([true, true]);
    const told = await toldOf(endpoint);
    expect(told).toMatchObject([{ data: { reason: 'by_operator', failingSince: null } }]);
    expect(JSON.stringify(told)).not.toContain('private');
    await enableEndpoint(store.database, endpointId, new Date());
    await switchOff();
    expect(await toldOf(endpoint)).toHaveLength(2);
  });

  test('goes to no endpoint that is off itself, to none of another client and not to the one it is about', async () => {
    const { endpoint, alertsId, delivery } = await prepare({ mode: 'gone' });
    const other = await prepare();
    await store.database.query('update webhook_endpoints set enabled = false where id = $1', [
      alertsId,
    ]);
    await store.database.query('update webhook_endpoints set events = $2 where id = $1', [
      endpoint.endpointId,
      ['lead.created', ...endpointEventTypes],
    ]);
    await attemptAll(delivery);
    expect([await toldOf(endpoint), await toldOf(other.endpoint)]).toEqual([[], []]);
  });

  test('is read by cursor where it is named, and is no event of the lead', async () => {
    const { endpoint, delivery } = await prepare({ mode: 'gone' });
    await attemptAll(delivery);
    const [client] = await store.database.query<{ id: string }>(
      'select id from oauth_clients where client_id = $1',
      [endpoint.clientId],
    );
    const read = async (types: Parameters<typeof readEvents>[1]['types']) => {
      const wanted = { clientId: client?.id ?? '', after: 'first', limit: 10, types };
      const page = await readEvents(store.database, wanted);
      return page && page !== 'gone' && page.data.map(({ type }) => type);
    };
    expect(await read(['lead.created', 'lead.assigned'])).toEqual(['lead.created']);
    expect(await read(['lead.created', 'endpoint.disabled'])).toEqual([
      'lead.created',
      'endpoint.disabled',
    ]);
    const events = await readLeadEvents(store.database, delivery.leadId);
    expect(events.map(({ type }) => type)).toEqual(['lead.created']);
  });
});
