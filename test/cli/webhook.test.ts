import process from 'node:process';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { startReceiver, type BehaviourInput } from '../../dev/receiver/server.ts';
import { personCommands } from '../../cli/person.ts';
import { resend, showDeliveries, webhookCommands } from '../../cli/webhook.ts';
import { createOperator, OperatorError, type Operator } from '../../cli/operator.ts';
import { since } from '../../cli/arguments.ts';
import {
  addEndpoint,
  disable,
  editEndpoint,
  enable,
  rotateSigningSecret,
  showEndpoint,
  showEndpoints,
  testEndpoint,
} from '../../cli/webhook/endpoints.ts';
import { eventTypes } from '../../domain/webhooks/event-payloads.ts';
import { freePort } from '../../dev/ports.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { FIXED_AGES, purge } from '../../store/maintenance/retention.ts';
import { loadEndpoint } from '../../store/webhooks/endpoints.ts';
import { createBulkRelay, relayOutbox } from '../../worker/outbox-relay.ts';
import { leadWorkflowId } from '../../workflows/contracts/lead-lifecycle.ts';
import { leadctlFor } from './leadctl.ts';
import { expectSchema } from '../support/documented.ts';
import { runProgram } from '../support/program.ts';
import { testActivityContext } from '../support/worker.ts';
import {
  createTestStore,
  deliveryRow,
  makeClient,
  makeDelivery,
  makeEndpoint,
  type TestDelivery,
  type TestEndpoint,
  type TestStore,
} from '../activities/webhooks/support.ts';
import { startWebhookWorker } from '../activities/webhooks/worker.ts';

let written = '';
let paths = 0;

const store = await createTestStore({ WEBHOOK_RETRY_SECONDS: '0.2' });
const [receiver, worker] = await Promise.all([startReceiver(), startWebhookWorker(store)]);
const { address, namespace } = worker.target;
const operator = await operatorAt({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });
afterAll(async () => {
  await operator.close();
  await worker.stop();
  await receiver.stop();
  await store.close();
});
beforeEach(() => receiver.clear());

function operatorAt(temporal: Record<string, string>, isJson = true): Promise<Operator> {
  const variables = {
    DATABASE_URL: store.databaseUrl,
    SECRETS_KEY: '11'.repeat(32),
    LEADCTL_AUTHOR: 'mona',
    ...temporal,
  };
  return createOperator(variables, { isJson, write: async (text) => (written += text) });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read every shape
async function shown(work: Promise<void>): Promise<any> {
  written = '';
  await work;
  return JSON.parse(written);
}

async function add(
  behaviour: Omit<BehaviourInput, 'path'> = { mode: 'ok' },
): Promise<TestEndpoint> {
  const client = await makeClient(store);
  const path = `/hooks/ctl-${(paths += 1)}`;
  const url = `${receiver.url}${path}`;
  const options = { client, url, events: 'lead.created,lead.assigned', allowHttp: true };
  const { endpointId, secret } = await shown(addEndpoint(operator, options));
  receiver.setBehaviour({ ...behaviour, path });
  receiver.setSecret(secret, path);
  return { endpointId, clientId: client, secret };
}

const deliveries = (options: object) => shown(showDeliveries(operator, { limit: 50, ...options }));

const deliver = (delivery: TestDelivery) => worker.deliver(delivery);

/** One poll of both relays in a worker process. */
async function relay(): Promise<number> {
  const context = testActivityContext(store.database, store.config);
  const relayed = await relayOutbox(context, worker.client);
  return relayed + (await createBulkRelay(context, worker.client)());
}

const settled = (input: TestDelivery, status: string) =>
  waitUntil(
    async () => {
      const row = await deliveryRow(store, input);
      if (row.status !== status) throw new Error(`it is ${row.status}`);
      return row;
    },
    { what: status },
  );

describe('webhook add', () => {
  test('shows the secret once and keeps it encrypted', async () => {
    const { endpointId, secret } = await add();
    expect(secret).toMatch(/^whsec_/);
    const [row] = await store.database.query<{ sealed: Buffer }>(
      `select secret_sealed as sealed from webhook_endpoints where id = $1`,
      [endpointId],
    );
    expect(row?.sealed.includes(Buffer.from(secret))).toBe(false);
    expect(JSON.stringify(await shown(showEndpoints(operator, {})))).not.toContain(secret);
  });

  test.each([
    ['plain http without the flag', { allowHttp: false }, /--allow-http/],
    ['a name and password in the address', { url: 'https://u:p@shop.example/' }, /user name/],
    ['an event that does not exist', { events: 'lead.deleted' }, /Event lead\.deleted not found/],
    ['no event', { events: '' }, /No event is named/],
    ['a client that does not exist', { client: 'nobody' }, /Client nobody not found/],
  ])('refuses %s', async (_, over, message) => {
    const client = await makeClient(store);
    const good = { client, url: 'http://shop.example/', events: 'lead.created', allowHttp: true };
    const work = addEndpoint(operator, { ...good, ...over });
    await expect(work).rejects.toThrow(OperatorError);
    await expect(work).rejects.toThrow(message);
  });
});

test('webhook add warns where each event would be sent to an address twice', async () => {
  const client = await makeClient(store);
  const leadctl = leadctlFor([webhookCommands], { DATABASE_URL: store.databaseUrl });
  const words = ['webhook', 'add', '--client', client, '--url', 'https://shop.example/', '--json'];
  const first = await leadctl(...words);
  expect(first.note).toBe('');
  expect((await leadctl(...words)).note).toBe(
    `This client has an endpoint at this URL already: ${first.json.endpointId}; each event of both is sent twice.\n`,
  );
  const others = await leadctl(...words, '--events', 'endpoint.failing');
  expect(others.note).toBe('');
});

describe('webhook add --alerts', () => {
  test('has the client told, signed, when another endpoint of it is switched off', async () => {
    const client = await makeClient(store);
    const [path, alertsPath] = [`/hooks/ctl-${(paths += 1)}`, `/hooks/ctl-${(paths += 1)}`];
    const added = await shown(
      addEndpoint(operator, {
        client,
        url: `${receiver.url}${path}`,
        alerts: `${receiver.url}${alertsPath}`,
        allowHttp: true,
      }),
    );
    receiver.setSecret(added.alerts.secret, alertsPath);
    receiver.setBehaviour({ mode: 'gone', path });
    const { endpointId } = added;
    const delivery = await makeDelivery(store, { ...added, clientId: client });
    await worker.start(delivery);
    await settled(delivery, 'failed');
    expect(await relay()).toBe(1);
    const alert = await waitUntil(
      async () => {
        const call = receiver.received().find((each) => each.path === alertsPath);
        if (!call) throw new Error('not yet');
        return call;
      },
      { what: 'the alert' },
    );
    expect(alert).toMatchObject({
      verdict: 'verified',
      body: { type: 'endpoint.disabled', data: { endpointId, reason: 'gone' } },
    });
    expect(await shown(showEndpoint(operator, endpointId))).toMatchObject({
      enabled: false,
      alerts: [`${receiver.url}${alertsPath}`],
    });
  });

  test('adds an address for alerts alone', async () => {
    const client = await makeClient(store);
    const options = { client, alerts: 'https://shop.example/alerts', allowHttp: false };
    const { url, events } = await shown(addEndpoint(operator, options));
    expect({ url, events }).toEqual({
      url: 'https://shop.example/alerts',
      events: ['endpoint.failing', 'endpoint.disabled'],
    });
  });

  test.each([
    ['no address', {}, /--url, --alerts, or both/],
    ['events without --url', { alerts: 'https://a.example/', events: 'lead.created' }, /--events/],
    ['a broken address', { url: 'https://a.example/', alerts: 'b' }, /It is not a URL/],
  ])('refuses %s, and adds nothing', async (_, options, message) => {
    const client = await makeClient(store);
    const work = addEndpoint(operator, { client, allowHttp: false, ...options });
    await expect(work).rejects.toThrow(message);
    expect(await shown(showEndpoints(operator, { client }))).toEqual([]);
  });
});

describe('webhook list and show', () => {
  test('have the last 24 hours, what waits and when it is tried next', async () => {
    const { endpointId, clientId, secret } = await add({ mode: 'fail', times: 1 });
    const endpoint = { endpointId, clientId, secret };
    await deliver(await makeDelivery(store, endpoint));
    await store.database.query(
      `update webhook_attempts set status_code = null, error = 'timeout' where endpoint_id = $1 and status_code = 500`,
      [endpointId],
    );
    const [waiting, old] = [
      await makeDelivery(store, endpoint),
      await makeDelivery(store, endpoint),
    ];
    await deliver(old);
    const next = new Date(Date.now() + 3_600_000);
    await store.database.query(
      `update webhook_deliveries set next_attempt_at = $2, status = 'pending' where event_id = $1`,
      [waiting.eventId, next],
    );
    await store.database.query(
      `update webhook_attempts set at = at - interval '25 hours' where event_id = $1`,
      [old.eventId],
    );
    const { isSecretReadable, ...shownEndpoint } = await shown(showEndpoint(operator, endpointId));
    expect(isSecretReadable).toBe(true);
    expect(shownEndpoint).toMatchObject({
      endpointId,
      enabled: true,
      waiting: 1,
      nextAttemptAt: next.toISOString(),
      alerts: [],
      lastDay: { calls: 2, successRate: 0.5, failed: 0, p50Ms: expect.any(Number) },
    });
    expect(await shown(showEndpoints(operator, { client: clientId }))).toEqual([shownEndpoint]);
  });

  test('read well in a terminal, with and without calls', async () => {
    const { endpointId, clientId, secret } = await add();
    const terminal = await operatorAt({}, false);
    const printed = async (work: Promise<void>) => {
      written = '';
      await work;
      return written;
    };
    expect(await printed(showEndpoint(terminal, endpointId))).toMatch(/last 24 hours +no call$/m);
    await deliver(await makeDelivery(store, { endpointId, clientId, secret }));
    expect(await printed(showEndpoint(terminal, endpointId))).toMatch(
      /last 24 hours +1 call, 100 % arrived, p50 [\d,]+ ms, p99 [\d,]+ ms$/m,
    );
    expect(await printed(showEndpoints(terminal, { client: clientId }))).toContain('100 %');
    await terminal.close();
    const unknown = showEndpoint(operator, '00000000-0000-4000-8000-000000000000');
    await expect(unknown).rejects.toThrow(/Endpoint .* not found/);
  });
});

describe('an endpoint', () => {
  test('is named by the beginning of its id, too', async () => {
    const endpoint = await add({ mode: 'fail' });
    const { endpointId } = endpoint;
    const beginning = endpointId.slice(0, 8);
    expect((await shown(showEndpoint(operator, beginning.toUpperCase()))).endpointId).toBe(
      endpointId,
    );
    const delivery = await makeDelivery(store, endpoint);
    await deliver(delivery);
    const listed = await shown(showDeliveries(operator, { endpoint: beginning, limit: 5 }));
    expect(listed).toMatchObject([{ endpointId }]);
    const { resent } = await shown(
      resend(operator, `${delivery.eventId}/${beginning}`, { failed: false }),
    );
    expect(resent).toMatchObject([{ endpointId }]);
    expect((await shown(enable(operator, beginning))).endpointId).toBe(endpointId);
    await relay();
    await settled(delivery, 'failed');
  });

  test('is not chosen where several ids begin so, or none does', async () => {
    const ids = ['1', '2'].map((last) => `0a1b2c3d-0000-4000-8000-00000000000${last}`);
    const candidates: string[] = [];
    for (const id of ids) {
      const { endpointId } = await add();
      const text = 'update webhook_endpoints set id = $2 where id = $1 returning url';
      const [row] = await store.database.query<{ url: string }>(text, [endpointId, id]);
      candidates.push(`  ${id}  ${row?.url}`);
    }
    const consent = { dryRun: false, yes: true };
    await expect(disable(operator, '0a1b2c3d', consent)).rejects.toThrow(
      ['Several endpoint ids begin with 0a1b2c3d:', ...candidates].join('\n'),
    );
    expect(await shown(showEndpoint(operator, ids[0] ?? ''))).toMatchObject({ enabled: true });
    await expect(enable(operator, '0a1b2c3e')).rejects.toThrow(
      'No endpoint id begins with 0a1b2c3e; see leadctl webhook list.',
    );
  });
});

describe('a secret that could not be shown', () => {
  const broken = (work: (terminal: Operator) => Promise<void>) =>
    createOperator(
      { DATABASE_URL: store.databaseUrl, SECRETS_KEY: '11'.repeat(32) },
      { isJson: false, write: () => Promise.reject(new Error('no space left')) },
    ).then((terminal) => work(terminal).finally(() => terminal.close()));

  test('creates no endpoint', async () => {
    const client = await makeClient(store);
    const options = { client, url: 'https://shop.example/', events: 'lead.created' };
    await expect(
      broken((terminal) => addEndpoint(terminal, { ...options, allowHttp: false })),
    ).rejects.toThrow('so nothing was changed');
    expect(await shown(showEndpoints(operator, { client }))).toEqual([]);
  });

  test('replaces no secret', async () => {
    const endpoint = await add();
    await expect(
      broken((terminal) => rotateSigningSecret(terminal, endpoint.endpointId, { atOnce: true })),
    ).rejects.toThrow('so nothing was changed');
    await deliver(await makeDelivery(store, endpoint));
    expect(receiver.received()[0]?.verdict).toBe('verified');
  });
});

describe('webhook test', () => {
  test('has the worker send a signed event and shows the response', async () => {
    const { endpointId } = await add();
    const report = await shown(testEndpoint(operator, endpointId));
    expect(report).toMatchObject({ delivered: true, status: 200, answer: '{"received":true}' });
    const [call] = receiver.received();
    expect(call).toMatchObject({ verdict: 'verified', id: report.webhookId });
    expect(call?.body).toMatchObject({ type: 'webhook.test', data: { endpointId } });
  });

  test.each(eventTypes)('sends a sample of %s as the document describes it', async (type) => {
    const { endpointId } = await add();
    await shown(testEndpoint(operator, endpointId, { type }));
    const [call] = receiver.received();
    expect(call).toMatchObject({ verdict: 'verified', body: { type } });
    expect(call?.id).toMatch(/^evt_test_/);
    const media = `webhooks/${type}/post/requestBody/content/application~1json/schema`;
    expectSchema(`webhooks.json#/${media}`, call?.body, type);
  });

  test('shows the failure, and tries once', async () => {
    const { endpointId } = await add({ mode: 'fail', status: 503 });
    const work = shown(testEndpoint(operator, endpointId));
    await expect(work).rejects.toThrow(OperatorError);
    expect(JSON.parse(written)).toMatchObject({
      delivered: false,
      status: 503,
      outcome: 'it answered 503',
    });
    expect(receiver.received()).toHaveLength(1);
  });

  test('reports an unknown endpoint', async () => {
    const unknown = testEndpoint(operator, '00000000-0000-4000-8000-000000000000');
    await expect(unknown).rejects.toThrow('Endpoint not found.');
    await expect(testEndpoint(operator, 'shop')).rejects.toThrow(
      'shop is not an endpoint id (a UUID) or its first four characters or more; see leadctl webhook list.',
    );
  });
});

describe('webhook rotate', () => {
  test('gives a new secret and signs with both for 24 hours', async () => {
    const endpoint = await add();
    const rotated = await shown(
      rotateSigningSecret(operator, endpoint.endpointId, { atOnce: false }),
    );
    const hours = (Date.parse(rotated.previousSecretUntil) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    for (const secret of [endpoint.secret, rotated.secret]) {
      receiver.setSecret(secret, `/hooks/ctl-${paths}`);
      await deliver(await makeDelivery(store, endpoint));
      expect(receiver.received()[0]?.verdict).toBe('verified');
    }
  });

  test('keeps the previous secret no longer than it signs', async () => {
    const endpoint = await add();
    await shown(rotateSigningSecret(operator, endpoint.endpointId, { atOnce: false }));
    const isKept = async () =>
      (await loadEndpoint(store.database, endpoint.endpointId))?.previousSecretSealed !== null;
    const HOUR_MS = 3_600_000;
    await purge(store.database, FIXED_AGES, new Date(Date.now() + 23 * HOUR_MS));
    expect(await isKept()).toBe(true);
    await purge(store.database, FIXED_AGES, new Date(Date.now() + 25 * HOUR_MS));
    expect(await isKept()).toBe(false);
    await deliver(await makeDelivery(store, endpoint));
    expect(receiver.received()[0]?.verdict).toBe('refused');
  });

  test('--at-once stops signing with the previous secret', async () => {
    const endpoint = await add();
    await shown(rotateSigningSecret(operator, endpoint.endpointId, { atOnce: true }));
    await deliver(await makeDelivery(store, endpoint));
    expect(receiver.received()[0]?.verdict).toBe('refused');
  });

  test('shows until when the previous secret signs too', async () => {
    const { endpointId } = await add();
    const terminal = await operatorAt({}, false);
    written = '';
    await rotateSigningSecret(terminal, endpointId, { atOnce: false });
    expect(written).toMatch(/with the previous secret too until \d{4}-\d{2}-\d{2} \d{2}:\d{2}/);
    expect(written).not.toContain('signs no more');
    written = '';
    await rotateSigningSecret(terminal, endpointId, { atOnce: false });
    expect(written).toMatch(/The one before that, good until .* signs no more/);
    written = '';
    await rotateSigningSecret(terminal, endpointId, { atOnce: true });
    expect(written).toContain('with this secret only from now on');
    await terminal.close();
  });
});

describe('another SECRETS_KEY', () => {
  const REFUSED = 'This SECRETS_KEY does not read the secrets in this database.';
  const UNREADABLE = 'Its secret cannot be read with this SECRETS_KEY.';
  let other: Operator;
  let otherWorker: Awaited<ReturnType<typeof startWebhookWorker>>;
  let endpoint: TestEndpoint;
  let ownStore: TestStore;
  let ownOperator: Operator;

  const operatorOf = (key: string, isJson: boolean, temporal: Record<string, string> = {}) =>
    createOperator(
      { DATABASE_URL: ownStore.databaseUrl, SECRETS_KEY: key, ...temporal },
      { isJson, write: async (text) => (written += text) },
    );

  beforeAll(async () => {
    ownStore = await createTestStore();
    endpoint = await makeEndpoint(ownStore, `${receiver.url}/hooks/other-key`);
    const config = { ...ownStore.config, secretsKey: Buffer.alloc(32, 0x22) };
    otherWorker = await startWebhookWorker({ ...ownStore, config });
    const { address, namespace } = otherWorker.target;
    const target = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    other = await operatorOf('22'.repeat(32), false, target);
    ownOperator = await operatorOf('11'.repeat(32), true);
  });
  afterAll(async () => {
    await other.close();
    await ownOperator.close();
    await otherWorker.stop();
    await ownStore.close();
  });

  test('seals nothing: add and rotate refuse it', async () => {
    const { endpointId, clientId: client } = endpoint;
    const before = await loadEndpoint(ownStore.database, endpointId);
    const options = { client, url: 'https://shop.example/', allowHttp: false };
    await expect(addEndpoint(other, options)).rejects.toThrow(REFUSED);
    await expect(rotateSigningSecret(other, endpointId, { atOnce: true })).rejects.toThrow(REFUSED);
    expect(await loadEndpoint(ownStore.database, endpointId)).toEqual(before);
  });

  test('proves no erasure: person erase refuses it', async () => {
    const variables = { DATABASE_URL: ownStore.databaseUrl, SECRETS_KEY: '22'.repeat(32) };
    const leadctl = leadctlFor([personCommands], variables);
    await expect(leadctl('person', 'erase', '0501234567', '--yes')).rejects.toThrow(REFUSED);
  });

  test.each(['api/server.ts', 'worker/worker.ts'])('keeps %s from starting', async (script) => {
    const env = {
      DATABASE_URL: ownStore.databaseUrl,
      SECRETS_KEY: '22'.repeat(32),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    };
    const { code, stderr } = await runProgram(process.execPath, [script], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${REFUSED}\n` });
  });

  test('is named by show, by a test and by the failure of a delivery', async () => {
    const { endpointId } = endpoint;
    written = '';
    await showEndpoint(other, endpointId);
    expect(written).toContain(UNREADABLE);
    await expect(testEndpoint(other, endpointId)).rejects.toThrow(UNREADABLE);
    const delivery = await makeDelivery(ownStore, endpoint);
    await otherWorker.start(delivery);
    const handle = otherWorker.client.workflow.getHandle(leadWorkflowId(delivery.leadId));
    await waitUntil(
      async () => {
        const [pending] = (await handle.describe()).raw.pendingActivities ?? [];
        expect(pending?.lastFailure?.message).toBe(UNREADABLE);
      },
      { what: 'the failure' },
    );
  });

  test('replaces a secret whose key is lost, where the operator says so', async () => {
    const { endpointId } = endpoint;
    const second = await makeEndpoint(ownStore, 'https://second.example/');
    written = '';
    await rotateSigningSecret(other, endpointId, { atOnce: false, lostKey: true });
    expect(written).toContain('Calls are signed with this secret only from now on.');
    await expect(rotateSigningSecret(other, second.endpointId, { atOnce: false })).rejects.toThrow(
      `leadctl webhook rotate ${second.endpointId} --lost-key`,
    );
    const { isSecretReadable } = await shown(showEndpoint(ownOperator, endpointId));
    expect(isSecretReadable).toBe(false);
  });
});

describe('webhook deliveries', () => {
  test('shows each with its tries, by endpoint, lead, status and time', async () => {
    const good = await add();
    const bad = await add({ mode: 'fail', status: 502 });
    const [arrived, failed] = [await makeDelivery(store, good), await makeDelivery(store, bad)];
    await Promise.all([deliver(arrived), deliver(failed)]);

    const ofLead = await deliveries({ lead: failed.leadId });
    expect(await deliveries({ lead: failed.leadId.slice(0, 8) })).toEqual(ofLead);
    expect(ofLead).toMatchObject([
      {
        eventId: failed.eventId,
        status: 'failed',
        failureReason: 'Given up after 2 attempts; at the last one it answered 502.',
        tries: [
          { statusCode: 502 },
          { statusCode: 502, responseHead: '{"error":"failure requested"}' },
        ],
      },
    ]);
    expect(await deliveries({ endpoint: good.endpointId, status: 'failed' })).toEqual([]);
    expect(await deliveries({ endpoint: good.endpointId, status: 'delivered' })).toHaveLength(1);
    expect(await deliveries({ endpoint: good.endpointId, since: since('1h') })).toHaveLength(1);
    expect(await deliveries({ endpoint: good.endpointId, event: 'lead.created' })).toHaveLength(1);
    expect(await deliveries({ endpoint: good.endpointId, event: 'lead.assigned' })).toEqual([]);
    expect(await deliveries({ event: failed.eventId })).toMatchObject([{ status: 'failed' }]);
    // Two days: in Dubai it may be tomorrow already.
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString();
    expect(await deliveries({ since: since(later) })).toEqual([]);
    expect(await deliveries({ since: since(later.slice(0, 10)) })).toEqual([]);
  });

  test('finds by time a delivery that is older but was attempted since', async () => {
    const endpoint = await add({ mode: 'throttle', retryAfterSeconds: 3600 });
    const delivery = await makeDelivery(store, endpoint);
    await worker.start(delivery);
    await waitForBackoff(delivery);
    await store.database.query(
      `update webhook_deliveries set created_at = created_at - interval '2 hours' where event_id = $1`,
      [delivery.eventId],
    );
    const found = await deliveries({ endpoint: endpoint.endpointId, since: since('1h') });
    expect(found).toMatchObject([{ eventId: delivery.eventId, status: 'pending' }]);
  });

  test.each([
    ['--status', 'lost', 'Allowed choices are pending, delivered, failed'],
    ['--limit', '0', 'at least 1'],
    ['--since', 'yesterday-ish', 'is no time'],
    ['--since', '12', 'is no time'],
    ['--since', 'Nov 1', 'is no time'],
    ['--lead', '17', 'Lead not found'],
    ['--event', 'lead.assinged', /^Event lead\.assinged not found\. There are: lead\.created, /],
    [
      '--endpoint',
      'shop',
      'shop is not an endpoint id (a UUID) or its first four characters or more; see leadctl webhook list.',
    ],
  ])('refuses %s %s', async (option, value, message) => {
    const leadctl = leadctlFor([webhookCommands], { DATABASE_URL: store.databaseUrl });
    await expect(leadctl('webhook', 'deliveries', option, value)).rejects.toThrow(message);
  });
});

describe('webhook resend', () => {
  test('sends one event again with the same id and body', async () => {
    const endpoint = await add();
    const delivery = await makeDelivery(store, endpoint);
    await deliver(delivery);
    const { resent } = await shown(resend(operator, delivery.eventId, { failed: false }));
    expect(await relay()).toBe(1);
    expect(resent).toEqual([{ eventId: delivery.eventId, endpointId: endpoint.endpointId }]);
    await waitUntil(() => assertCalls(2), { what: 'the second call' });
    const [second, first] = receiver.received();
    expect([second?.id, second?.raw]).toEqual([first?.id, first?.raw]);
    expect(second?.verdict).toBe('verified');
    await settled(delivery, 'delivered');
  });

  test('sends all that failed since, to enabled endpoints, with the whole retry schedule', async () => {
    const endpoint = await add({ mode: 'fail', times: 4 });
    const failed = [await makeDelivery(store, endpoint), await makeDelivery(store, endpoint)];
    const arrived = await makeDelivery(store, endpoint);
    for (const delivery of [...failed, arrived]) await deliver(delivery);
    await disable(operator, endpoint.endpointId, { dryRun: false, yes: true });
    const options = { failed: true, since: since('1h'), endpoint: endpoint.endpointId };
    expect((await shown(resend(operator, undefined, options))).resent).toEqual([]);
    await enable(operator, endpoint.endpointId);
    const { resent } = await shown(resend(operator, undefined, options));
    expect(resent.map((one: TestDelivery) => one.eventId)).toEqual(
      failed.map((one) => one.eventId),
    );
    expect(await relay()).toBe(2);
    for (const delivery of failed)
      expect(await settled(delivery, 'delivered')).toMatchObject({ attempts: 1 });
  });

  test('sends an added endpoint all events since then, from before it was there too', async () => {
    const first = await add();
    const [old, early, late] = [
      await makeDelivery(store, first),
      await makeDelivery(store, first),
      await makeDelivery(store, first),
    ];
    await store.database.query(
      `update webhook_events set created_at = now() - interval '3 days' where id = $1`,
      [old.eventId],
    );
    const url = `${receiver.url}/hooks/added-${first.endpointId}`;
    const events = 'lead.created,endpoint.failing';
    const options = { client: first.clientId, url, events, allowHttp: true };
    const { endpointId } = await shown(addEndpoint(operator, options));
    const words = { failed: false, endpoint: endpointId, since: since('2d') };
    const size = await shown(resend(operator, undefined, { ...words, dryRun: true }));
    expect(size).toMatchObject({ dryRun: true, events: 2 });
    expect(await shown(resend(operator, undefined, words))).toMatchObject({
      endpointId,
      events: 2,
    });
    expect(await relay()).toBe(2);
    for (const { eventId, leadId } of [early, late])
      await settled({ ...early, eventId, leadId, endpointId }, 'delivered');
    expect(receiver.received().map(({ id }) => id)).toEqual(
      expect.arrayContaining([early.eventId, late.eventId]),
    );
    // What it got is sent once more; what is on its way is not sent twice.
    const again = { ...words, yes: true };
    expect((await shown(resend(operator, undefined, again))).events).toBe(2);
    const dryRun = { ...words, dryRun: true };
    expect((await shown(resend(operator, undefined, dryRun))).events).toBe(0);
    expect((await shown(resend(operator, undefined, again))).events).toBe(0);
    await relay();
    await waitUntil(() => assertCalls(4), { what: 'the calls of both times' });
    await expect(resend(operator, undefined, { failed: true, dryRun: true })).rejects.toThrow(
      '--dry-run goes with --endpoint and --since',
    );
  });

  test('names the command that lists pending deliveries when nothing failed is left', async () => {
    const { endpointId } = await add();
    const terminal = await operatorAt({ TEMPORAL_ADDRESS: worker.target.address }, false);
    written = '';
    await resend(terminal, undefined, { failed: true, endpoint: endpointId });
    expect(written).toContain('leadctl webhook deliveries --status pending');
    await terminal.close();
  });

  test('restarts a delivery that is still being retried', async () => {
    const endpoint = await add({ mode: 'throttle', retryAfterSeconds: 3600, times: 1 });
    const delivery = await makeDelivery(store, endpoint);
    await worker.start(delivery);
    await waitUntil(() => assertCalls(1), { what: 'the first call' });
    await waitForBackoff(delivery);
    await resend(operator, `${delivery.eventId}/${endpoint.endpointId}`, { failed: false });
    await relay();
    await settled(delivery, 'delivered');
  });

  test('needs one event or --failed', async () => {
    await expect(resend(operator, undefined, { failed: false })).rejects.toThrow(/Name one event/);
    await expect(resend(operator, 'evt_1', { failed: true })).rejects.toThrow(/Name one event/);
    await expect(resend(operator, 'evt_none', { failed: false })).rejects.toThrow(
      'Delivery of event evt_none not found.',
    );
  });

  test('says whether there is no such delivery or its endpoint is switched off', async () => {
    const [endpoint, other] = [await add(), await add()];
    const { eventId, endpointId } = await makeDelivery(store, endpoint);
    await expect(disable(operator, endpointId, { dryRun: false, yes: false })).rejects.toThrow(
      `leadctl webhook enable ${endpointId} takes it back, but for these deliveries: say --yes`,
    );
    await disable(operator, endpointId, { dryRun: false, yes: true });
    const resendTo = (id: string) => resend(operator, id, { failed: false });
    for (const id of [eventId, `${eventId}/${endpointId}`])
      await expect(resendTo(id)).rejects.toThrow(
        `Endpoint ${endpointId} is switched off: leadctl webhook enable ${endpointId} switches it on.`,
      );
    await expect(resendTo(`${eventId}/${other.endpointId}`)).rejects.toThrow(
      `Delivery of event ${eventId} to endpoint ${other.endpointId} not found.`,
    );
  });
});

test('without Temporal a resend waits in the outbox; a test does nothing and reports it', async () => {
  const endpoint = await add({ mode: 'fail', times: 2 });
  const delivery = await makeDelivery(store, endpoint);
  await deliver(delivery);
  await settled(delivery, 'failed');
  const cutOff = await operatorAt({ TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` });
  const unreachable = /Temporal cannot be reached at .*, so nothing was done/;
  await expect(testEndpoint(cutOff, endpoint.endpointId)).rejects.toThrow(unreachable);
  await shown(resend(cutOff, delivery.eventId, { failed: false }));
  await cutOff.close();
  expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 0 });
  expect(await relay()).toBe(1);
  await settled(delivery, 'delivered');
});

describe('webhook edit', () => {
  test('sends what is resent to the new address, signed with the same secret', async () => {
    const endpoint = await add({ mode: 'fail' });
    const delivery = await makeDelivery(store, endpoint);
    await deliver(delivery);
    const path = '/hooks/moved';
    receiver.setSecret(endpoint.secret, path);
    const edit = (url: string) =>
      editEndpoint(operator, endpoint.endpointId, { url, allowHttp: true });
    await expect(edit('ftp://shop.example')).rejects.toThrow('The address cannot be used');
    expect((await shown(showEndpoint(operator, endpoint.endpointId))).failingSince).not.toBeNull();
    expect((await shown(edit(`${receiver.url}${path}`))).url).toBe(`${receiver.url}${path}`);
    expect((await shown(showEndpoint(operator, endpoint.endpointId))).failingSince).toBeNull();
    await shown(resend(operator, delivery.eventId, { failed: false }));
    await relay();
    await settled(delivery, 'delivered');
    expect(receiver.received()[0]).toMatchObject({ path, verdict: 'verified' });
  });
});

describe('webhook enable', () => {
  test('sends at once what waited for its next attempt', async () => {
    const endpoint = await add({ mode: 'throttle', retryAfterSeconds: 3600, times: 1 });
    const delivery = await makeDelivery(store, endpoint);
    await worker.start(delivery);
    await waitForBackoff(delivery);
    await disable(operator, endpoint.endpointId, { dryRun: false, yes: true });
    expect(await shown(enable(operator, endpoint.endpointId))).toMatchObject({ due: 1 });
    expect(await relay()).toBe(1);
    expect(await settled(delivery, 'delivered')).toMatchObject({ attempts: 2 });
  });

  test('sends what waits also where the endpoint was on, as webhook edit says', async () => {
    const endpoint = await add({ mode: 'throttle', retryAfterSeconds: 3600 });
    const delivery = await makeDelivery(store, endpoint);
    await worker.start(delivery);
    await waitForBackoff(delivery);
    const path = '/hooks/edited';
    receiver.setSecret(endpoint.secret, path);
    const terminal = await operatorAt({}, false);
    const { endpointId } = endpoint;
    written = '';
    await editEndpoint(terminal, endpointId, { url: `${receiver.url}${path}`, allowHttp: true });
    const command = `leadctl webhook enable ${endpointId}`;
    expect(written).toContain(`1 delivery to it waits: ${command} sends what waits now.`);
    written = '';
    await enable(terminal, endpointId);
    await terminal.close();
    expect(written).toContain('was on already.\n1 delivery that still waited: sent now.');
    expect(written).not.toContain('/public/events');
    expect(await relay()).toBe(1);
    await settled(delivery, 'delivered');
    expect(receiver.received()[0]).toMatchObject({ path, verdict: 'verified' });
  });

  test('names the command that sends what happened while the endpoint was off', async () => {
    const endpoint = await add();
    await deliver(await makeDelivery(store, endpoint));
    const { endpointId } = endpoint;
    const { eventId } = await makeDelivery(store, endpoint);
    await disable(operator, endpointId, { dryRun: false, yes: true });
    // The request of this event began before the endpoint was off, and was written after that.
    await store.database.query(`delete from webhook_deliveries where event_id = $1`, [eventId]);
    const terminal = await operatorAt({}, false);
    written = '';
    await enable(terminal, endpointId);
    await terminal.close();
    const [, named, at = ''] =
      /leadctl webhook resend --endpoint (\S+) --since (\S+)/.exec(written) ?? [];
    expect(named).toBe(endpointId);
    expect(written).toContain('GET /public/events');
    const all = { failed: false, endpoint: endpointId, since: since(at), yes: true };
    expect(await shown(resend(operator, undefined, all))).toMatchObject({ events: 2 });
  });
});

describe('webhook disable', () => {
  test('changes nothing about an endpoint that is off already, and says since when and why', async () => {
    const endpoint = await add();
    await deliver(await makeDelivery(store, endpoint));
    const { endpointId } = endpoint;
    const consent = { dryRun: false, yes: true };
    await disable(operator, endpointId, { ...consent, reason: 'Their server moves.' });
    const terminal = await operatorAt({}, false);
    written = '';
    await disable(terminal, endpointId, { ...consent, reason: 'Another one.' });
    await terminal.close();
    expect(written).toMatch(/is off already since .*: Their server moves\.\nNothing was changed\./);
    expect((await shown(showEndpoint(operator, endpointId))).disabledReason).toBe(
      'Their server moves.',
    );
  });
});

function assertCalls(count: number): Promise<void> {
  if (receiver.received().length < count) return Promise.reject(new Error('not yet'));
  return Promise.resolve();
}

const runOf = ({ leadId }: TestDelivery) =>
  worker.client.workflow.getHandle(leadWorkflowId(leadId));

/** Waits until the delivery's activity failed and waits for its next attempt: nothing else reads the endpoint. */
function waitForBackoff(delivery: TestDelivery) {
  return waitUntil(
    async () => {
      const [pending] = (await runOf(delivery).describe()).raw.pendingActivities ?? [];
      if (!pending?.lastFailure) throw new Error('not yet');
      return pending;
    },
    { what: 'the pending activity' },
  );
}

/** The history as text, its payloads decoded. */
function plain(history: Parameters<typeof historyToJSON>[0]): string {
  return historyToJSON(history).replaceAll(/"data": *"([^"]+)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString('utf8'),
  );
}

describe('in the Web UI', () => {
  const attributesOf = async (delivery: TestDelivery) => {
    const { typedSearchAttributes } = await runOf(delivery).describe();
    return Object.fromEntries(
      typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
    );
  };
  const becomes = (delivery: TestDelivery, state: string | undefined) =>
    waitUntil(async () => expect((await attributesOf(delivery))['WebhookState']).toBe(state), {
      what: `WebhookState ${state}`,
    });

  test('a delivery that is retried is a pending activity with its attempt and last failure', async () => {
    const endpoint = await add({ mode: 'throttle', retryAfterSeconds: 3630 });
    const delivery = await makeDelivery(store, endpoint);
    await worker.start(delivery);
    await becomes(delivery, 'retrying');
    const activity = await waitForBackoff(delivery);
    expect(activity.activityType?.name).toBe('retryWebhook');
    expect(activity.attempt).toBe(2);
    expect(activity.lastFailure?.message).toMatch(
      /^Attempt 1 of 2 of lead\.created to 127\.0\.0\.1:\d+: it answered 429; the next attempt comes in 1 h\.$/,
    );
    const page = await runOf(delivery).query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    expect(page.currentDetails).toContain(
      `leadctl webhook resend ${delivery.eventId}/${endpoint.endpointId}`,
    );
  });

  test('a lead with a failed delivery is found by it, and its history contains neither body nor address', async () => {
    const endpoint = await add({ mode: 'fail' });
    const delivery = await makeDelivery(store, endpoint);
    await deliver(delivery);
    const { workflow } = worker.client;
    const query = `WebhookState = 'failed' and OAuthClientId = '${endpoint.clientId}'`;
    await waitUntil(async () => expect((await workflow.count(query)).count).toBe(1), {
      what: 'the search attributes',
    });
    const history = plain(await runOf(delivery).fetchHistory());
    expect(history).toContain(`webhook lead.created to ${endpoint.clientId}`);
    for (const text of ['/hooks/ctl', 'failure requested', 'فيلا'])
      expect(history).not.toContain(text);
  });

  test('the state is empty once the delivery is sent again and arrives', async () => {
    const endpoint = await add({ mode: 'fail', times: 1 });
    const delivery = await makeDelivery(store, endpoint);
    await deliver(delivery);
    await becomes(delivery, undefined);
    expect(plain(await runOf(delivery).fetchHistory())).toContain('retrying');
  });
});
