import process from 'node:process';
import { startReceiver, type BehaviourInput } from '../../dev/receiver/server.ts';
import { personCommands } from '../../cli/person.ts';
import { webhookCommands } from '../../cli/webhook.ts';
import { createOperator, type Operator } from '../../cli/operator.ts';
import { addEndpoint, rotateSigningSecret } from '../../cli/webhook/endpoints.ts';
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
} from '../activities/webhooks/support.ts';
import { startWebhookWorker } from '../activities/webhooks/worker.ts';

const HOUR_MS = 3_600_000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let paths = 0;
const written: string[] = [];

const store = await createTestStore({ WEBHOOK_RETRY_SECONDS: '0.2' });
const [receiver, worker] = await Promise.all([startReceiver(), startWebhookWorker(store)]);
const leadctl = leadctlAt(worker.target.address);
afterAll(async () => {
  await worker.stop();
  await receiver.stop();
  await store.close();
});
beforeEach(() => receiver.clear());

function leadctlAt(temporalAddress: string) {
  const variables = {
    DATABASE_URL: store.databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: worker.target.namespace,
  };
  return leadctlFor([webhookCommands], variables, written);
}

const webhook = (...words: string[]) => leadctl('webhook', ...words);
const jsonOf = async (...words: string[]) => (await webhook(...words, '--json')).json;
const textOf = async (...words: string[]) => (await webhook(...words)).text;
const show = (endpointId: string) => jsonOf('show', endpointId);
const switchOff = (endpointId: string, ...words: string[]) =>
  textOf('disable', endpointId, '--yes', ...words);

const newPath = () => `/hooks/ctl-${(paths += 1)}`;

async function add(
  behaviour: Omit<BehaviourInput, 'path'> = { mode: 'ok' },
): Promise<TestEndpoint> {
  const clientId = await makeClient(store);
  const path = newPath();
  const where = ['--client', clientId, '--url', `${receiver.url}${path}`, '--allow-http'];
  const { endpointId, secret } = await jsonOf('add', ...where);
  receiver.setBehaviour({ ...behaviour, path });
  receiver.setSecret(secret, path);
  return { endpointId, clientId, secret };
}

const deliver = (delivery: TestDelivery) => worker.deliver(delivery);

async function delivered(endpoint: TestEndpoint): Promise<TestDelivery> {
  const delivery = await makeDelivery(store, endpoint);
  await deliver(delivery);
  return delivery;
}

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
      expect(row.status).toBe(status);
      return row;
    },
    { what: status },
  );

const called = (count: number) =>
  waitUntil(async () => expect(receiver.received().length).toBeGreaterThanOrEqual(count), {
    what: `Call ${count}`,
  });

const runOf = ({ leadId }: TestDelivery, { client } = worker) =>
  client.workflow.getHandle(leadWorkflowId(leadId));

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

/** A delivery whose next attempt comes in an hour. */
async function throttled(times?: number) {
  const endpoint = await add({
    mode: 'throttle',
    retryAfterSeconds: 3600,
    ...(times && { times }),
  });
  const delivery = await makeDelivery(store, endpoint);
  await worker.start(delivery);
  const activity = await waitForBackoff(delivery);
  return { endpoint, delivery, activity };
}

describe('webhook add', () => {
  test('shows the secret once and keeps it encrypted', async () => {
    const { endpointId, secret } = await add();
    expect(secret).toMatch(/^whsec_/);
    const [row] = await store.database.query<{ sealed: Buffer }>(
      `select secret_sealed as sealed from webhook_endpoints where id = $1`,
      [endpointId],
    );
    expect(row?.sealed.includes(Buffer.from(secret))).toBe(false);
    expect(await textOf('list', '--json')).not.toContain(secret);
  });

  const url = ['--url', 'https://shop.example/'];
  test.each([
    ['plain http without the flag', ['--url', 'http://shop.example/'], /--allow-http/],
    ['a name and password in the address', ['--url', 'https://u:p@shop.example/'], /user name/],
    [
      'an event that does not exist',
      [...url, '--events', 'lead.deleted'],
      /Event lead\.deleted not found/,
    ],
    ['no event', [...url, '--events', ''], /No event is named/],
    ['a client that does not exist', [...url, '--client', 'none'], /Client none not found/],
    ['no address', [], /--url, --alerts, or both/],
    [
      'events without --url',
      ['--alerts', 'https://a.example/', '--events', 'lead.created'],
      /--events/,
    ],
    ['a broken address', ['--url', 'https://a.example/', '--alerts', 'b'], /It is not a URL/],
  ])('refuses %s, and adds nothing', async (_, words, message) => {
    const client = await makeClient(store);
    await expect(webhook('add', '--client', client, ...words)).rejects.toThrow(message);
    expect(await jsonOf('list', '--client', client)).toEqual([]);
  });

  test('warns where each event would be sent to an address twice', async () => {
    const again = ['add', '--client', await makeClient(store), ...url, '--json'];
    const first = await webhook(...again);
    expect(first.note).toBe('');
    expect((await webhook(...again)).note).toBe(
      `This client has an endpoint at this URL already: ${first.json.endpointId}; each event of both is sent twice.\n`,
    );
    expect((await webhook(...again, '--events', 'endpoint.failing')).note).toBe('');
  });

  test('--alerts adds another address, that is told of the first one, or alone', async () => {
    const alerts = ['--client', await makeClient(store), '--alerts', 'https://shop.example/alerts'];
    const both = await jsonOf('add', ...alerts, ...url);
    expect(both.alerts.secret).toMatch(/^whsec_/);
    expect(await show(both.endpointId)).toMatchObject({ alerts: ['https://shop.example/alerts'] });
    expect(await jsonOf('add', ...alerts)).toMatchObject({
      url: 'https://shop.example/alerts',
      events: ['endpoint.failing', 'endpoint.disabled'],
    });
  });
});

describe('webhook list and show', () => {
  test('have the last 24 hours, what waits and when it is tried next', async () => {
    const endpoint = await add({ mode: 'fail', times: 1 });
    const { endpointId } = endpoint;
    await delivered(endpoint);
    await store.database.query(
      `update webhook_attempts set status_code = null, error = 'timeout' where endpoint_id = $1 and status_code = 500`,
      [endpointId],
    );
    const waiting = await makeDelivery(store, endpoint);
    const old = await delivered(endpoint);
    const next = new Date(Date.now() + HOUR_MS);
    await store.database.query(
      `update webhook_deliveries set next_attempt_at = $2, status = 'pending' where event_id = $1`,
      [waiting.eventId, next],
    );
    await store.database.query(
      `update webhook_attempts set at = at - interval '25 hours' where event_id = $1`,
      [old.eventId],
    );
    const { isSecretReadable, ...shown } = await show(endpointId);
    expect(isSecretReadable).toBe(true);
    expect(shown).toMatchObject({
      endpointId,
      enabled: true,
      waiting: 1,
      nextAttemptAt: next.toISOString(),
      alerts: [],
      lastDay: { calls: 2, successRate: 0.5, failed: 0, p50Ms: expect.any(Number) },
    });
    expect(await jsonOf('list', '--client', endpoint.clientId)).toEqual([shown]);
  });

  test('read well in a terminal, with and without calls', async () => {
    const endpoint = await add();
    expect(await textOf('show', endpoint.endpointId)).toMatch(/last 24 hours +no call$/m);
    await delivered(endpoint);
    expect(await textOf('show', endpoint.endpointId)).toMatch(
      /last 24 hours +1 call, 100 % arrived, p50 [\d,]+ ms, p99 [\d,]+ ms$/m,
    );
    expect(await textOf('list', '--client', endpoint.clientId)).toContain('100 %');
    await expect(show(UNKNOWN)).rejects.toThrow(/Endpoint .* not found/);
  });
});

describe('an endpoint', () => {
  test('is named by the beginning of its id, too', async () => {
    const endpoint = await add({ mode: 'fail' });
    const { endpointId } = endpoint;
    const beginning = endpointId.slice(0, 8);
    const delivery = await delivered(endpoint);
    expect(await show(beginning.toUpperCase())).toMatchObject({ endpointId });
    expect(await jsonOf('enable', beginning)).toMatchObject({ endpointId });
    expect(await jsonOf('deliveries', '--endpoint', beginning)).toMatchObject([{ endpointId }]);
    const { resent } = await jsonOf('resend', `${delivery.eventId}/${beginning}`);
    expect(resent).toMatchObject([{ endpointId }]);
    await relay();
    await settled(delivery, 'failed');
  });

  test('is not chosen where several ids begin so, or none does', async () => {
    const candidates: string[] = [];
    for (const id of ['1', '2'].map((last) => `0a1b2c3d-0000-4000-8000-00000000000${last}`)) {
      const { endpointId } = await add();
      const text = 'update webhook_endpoints set id = $2 where id = $1 returning url';
      const [row] = await store.database.query<{ url: string }>(text, [endpointId, id]);
      candidates.push(`  ${id}  ${row?.url}`);
    }
    await expect(switchOff('0a1b2c3d')).rejects.toThrow(
      ['Several endpoint ids begin with 0a1b2c3d:', ...candidates].join('\n'),
    );
    await expect(webhook('enable', '0a1b2c3e')).rejects.toThrow(
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
    const options = { client, url: 'https://shop.example/', allowHttp: false };
    await expect(broken((terminal) => addEndpoint(terminal, options))).rejects.toThrow(
      'so nothing was changed',
    );
    expect(await jsonOf('list', '--client', client)).toEqual([]);
  });

  test('replaces no secret', async () => {
    const endpoint = await add();
    await expect(
      broken((terminal) => rotateSigningSecret(terminal, endpoint.endpointId, { atOnce: true })),
    ).rejects.toThrow('so nothing was changed');
    await delivered(endpoint);
    expect(receiver.received()[0]?.verdict).toBe('verified');
  });
});

describe('webhook test', () => {
  test('has the worker send a signed event and shows the response', async () => {
    const { endpointId } = await add();
    const report = await jsonOf('test', endpointId);
    expect(report).toMatchObject({ delivered: true, status: 200, answer: '{"received":true}' });
    const [call] = receiver.received();
    expect(call).toMatchObject({ verdict: 'verified', id: report.webhookId });
    expect(call?.body).toMatchObject({ type: 'webhook.test', data: { endpointId } });
  });

  test.each(eventTypes)('sends a sample of %s as the document describes it', async (type) => {
    const { endpointId } = await add();
    await webhook('test', endpointId, '--type', type);
    const [call] = receiver.received();
    expect(call).toMatchObject({ verdict: 'verified', body: { type } });
    expect(call?.id).toMatch(/^evt_test_/);
    const media = `webhooks/${type}/post/requestBody/content/application~1json/schema`;
    expectSchema(`webhooks.json#/${media}`, call?.body, type);
  });

  test('shows the failure, and tries once', async () => {
    const { endpointId } = await add({ mode: 'fail', status: 503 });
    await expect(jsonOf('test', endpointId)).rejects.toMatchObject({ name: 'OperatorError' });
    expect(JSON.parse(written.join(''))).toMatchObject({
      delivered: false,
      status: 503,
      outcome: 'it answered 503',
    });
    expect(receiver.received()).toHaveLength(1);
    await expect(webhook('test', UNKNOWN)).rejects.toThrow('Endpoint not found.');
  });
});

describe('webhook rotate', () => {
  const verdictsOf = async (endpoint: TestEndpoint, ...secrets: string[]) => {
    const verdicts: unknown[] = [];
    for (const secret of secrets) {
      receiver.setSecret(secret, `/hooks/ctl-${paths}`);
      await delivered(endpoint);
      verdicts.push(receiver.received()[0]?.verdict);
    }
    return verdicts;
  };

  test('gives a new secret and signs with both for 24 hours, then drops the previous one', async () => {
    const endpoint = await add();
    const rotated = await jsonOf('rotate', endpoint.endpointId);
    const hours = (Date.parse(rotated.previousSecretUntil) - Date.now()) / HOUR_MS;
    expect(Math.round(hours)).toBe(24);
    expect(await verdictsOf(endpoint, endpoint.secret, rotated.secret)).toEqual([
      'verified',
      'verified',
    ]);
    const isKeptAfter = async (afterHours: number) => {
      await purge(store.database, FIXED_AGES, new Date(Date.now() + afterHours * HOUR_MS));
      const stored = await loadEndpoint(store.database, endpoint.endpointId);
      return stored?.previousSecretSealed !== null;
    };
    expect([await isKeptAfter(23), await isKeptAfter(25)]).toEqual([true, false]);
  });

  test('--at-once stops signing with the previous secret, and says so', async () => {
    const endpoint = await add();
    const rotate = (...words: string[]) => textOf('rotate', endpoint.endpointId, ...words);
    const first = await rotate();
    expect(first).toMatch(/with the previous secret too until \d{4}-\d{2}-\d{2} \d{2}:\d{2}/);
    expect(first).not.toContain('signs no more');
    expect(await rotate()).toMatch(/The one before that, good until .* signs no more/);
    const { secret } = await jsonOf('rotate', endpoint.endpointId);
    expect(await rotate('--at-once')).toContain('with this secret only from now on');
    expect(await verdictsOf(endpoint, secret)).toEqual(['refused']);
  });
});

describe('another SECRETS_KEY', () => {
  const REFUSED = 'This SECRETS_KEY does not read the secrets in this database.';
  const UNREADABLE = 'Its secret cannot be read with this SECRETS_KEY.';
  const otherStore = createTestStore();
  let otherWorker: Awaited<ReturnType<typeof startWebhookWorker>>;
  let endpoint: TestEndpoint;
  let variables: { DATABASE_URL: string; SECRETS_KEY: string };
  let other: (...words: string[]) => Promise<string>;

  beforeAll(async () => {
    const own = await otherStore;
    endpoint = await makeEndpoint(own, `${receiver.url}/hooks/other-key`);
    const config = { ...own.config, secretsKey: Buffer.alloc(32, 0x22) };
    otherWorker = await startWebhookWorker({ ...own, config });
    const { address, namespace } = otherWorker.target;
    variables = { DATABASE_URL: own.databaseUrl, SECRETS_KEY: '22'.repeat(32) };
    const target = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    const otherLeadctl = leadctlFor([webhookCommands, personCommands], { ...variables, ...target });
    other = async (...words) => (await otherLeadctl(...words)).text;
  });
  afterAll(async () => {
    await otherWorker.stop();
    await (await otherStore).close();
  });

  test('seals nothing and proves no erasure', async () => {
    const { database } = await otherStore;
    const before = await loadEndpoint(database, endpoint.endpointId);
    const url = ['--client', endpoint.clientId, '--url', 'https://shop.example/'];
    await expect(other('webhook', 'add', ...url)).rejects.toThrow(REFUSED);
    const rotate = ['webhook', 'rotate', endpoint.endpointId];
    await expect(other(...rotate, '--at-once')).rejects.toThrow(REFUSED);
    expect(await loadEndpoint(database, endpoint.endpointId)).toEqual(before);
    await expect(other('person', 'erase', '0501234567', '--yes')).rejects.toThrow(REFUSED);
  });

  test.each(['api/server.ts', 'worker/worker.ts'])('keeps %s from starting', async (script) => {
    const env = { ...variables, TEMPORAL_ADDRESS: '127.0.0.1:1' };
    const { code, stderr } = await runProgram(process.execPath, [script], { env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${REFUSED}\n` });
  });

  test('is named by show, by a test and by the failure of a delivery', async () => {
    expect(await other('webhook', 'show', endpoint.endpointId)).toContain(UNREADABLE);
    await expect(other('webhook', 'test', endpoint.endpointId)).rejects.toThrow(UNREADABLE);
    const delivery = await makeDelivery(await otherStore, endpoint);
    await otherWorker.start(delivery);
    await waitUntil(
      async () => {
        const { raw } = await runOf(delivery, otherWorker).describe();
        expect(raw.pendingActivities?.[0]?.lastFailure?.message).toBe(UNREADABLE);
      },
      { what: 'the failure' },
    );
  });

  test('replaces a secret whose key is lost, where the operator says so', async () => {
    const { endpointId } = endpoint;
    const second = await makeEndpoint(await otherStore, 'https://second.example/');
    expect(await other('webhook', 'rotate', endpointId, '--lost-key')).toContain(
      'Calls are signed with this secret only from now on.',
    );
    await expect(other('webhook', 'rotate', second.endpointId)).rejects.toThrow(
      `leadctl webhook rotate ${second.endpointId} --lost-key`,
    );
    const byFormerKey = leadctlFor([webhookCommands], { DATABASE_URL: variables.DATABASE_URL });
    const { json } = await byFormerKey('webhook', 'show', endpointId, '--json');
    expect(json.isSecretReadable).toBe(false);
  });
});

describe('webhook deliveries', () => {
  test('shows each with its tries, by endpoint, lead, status and time', async () => {
    const good = await add();
    const [, failed] = await Promise.all([
      delivered(good),
      delivered(await add({ mode: 'fail', status: 502 })),
    ]);
    const ofLead = await jsonOf('deliveries', '--lead', failed.leadId);
    expect(await jsonOf('deliveries', '--lead', failed.leadId.slice(0, 8))).toEqual(ofLead);
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
    const ofGood = async (...words: string[]) =>
      (await jsonOf('deliveries', '--endpoint', good.endpointId, ...words)).length;
    expect(await ofGood('--status', 'failed')).toBe(0);
    expect(await ofGood('--status', 'delivered')).toBe(1);
    expect(await ofGood('--since', '1h')).toBe(1);
    expect(await ofGood('--event', 'lead.created')).toBe(1);
    expect(await ofGood('--event', 'lead.assigned')).toBe(0);
    expect(await jsonOf('deliveries', '--event', failed.eventId)).toHaveLength(1);
    // Two days: in Dubai it may be tomorrow already.
    const later = new Date(Date.now() + 48 * HOUR_MS).toISOString();
    expect(await ofGood('--since', later)).toBe(0);
    expect(await ofGood('--since', later.slice(0, 10))).toBe(0);
  });

  test('finds by time a delivery that is older but was attempted since', async () => {
    const { endpoint, delivery } = await throttled();
    await store.database.query(
      `update webhook_deliveries set created_at = created_at - interval '2 hours' where event_id = $1`,
      [delivery.eventId],
    );
    const words = ['--endpoint', endpoint.endpointId, '--since', '1h'];
    expect(await jsonOf('deliveries', ...words)).toMatchObject([
      { eventId: delivery.eventId, status: 'pending' },
    ]);
  });

  test.each([
    ['--status', 'lost', 'Allowed choices are pending, delivered, failed'],
    ['--since', '12', 'is no time'],
    ['--lead', '17', 'Lead not found'],
    ['--event', 'lead.assinged', /^Event lead\.assinged not found\. There are: lead\.created, /],
    [
      '--endpoint',
      'shop',
      'shop is not an endpoint id (a UUID) or its first four characters or more; see leadctl webhook list.',
    ],
  ])('refuses %s %s', async (option, value, message) => {
    await expect(webhook('deliveries', option, value)).rejects.toThrow(message);
  });
});

describe('webhook resend', () => {
  test('sends one event again with the same id and body', async () => {
    const endpoint = await add();
    const delivery = await delivered(endpoint);
    const { resent } = await jsonOf('resend', delivery.eventId);
    expect(await relay()).toBe(1);
    expect(resent).toEqual([{ eventId: delivery.eventId, endpointId: endpoint.endpointId }]);
    await called(2);
    const [second, first] = receiver.received();
    expect([second?.id, second?.raw]).toEqual([first?.id, first?.raw]);
    expect(second?.verdict).toBe('verified');
    await settled(delivery, 'delivered');
  });

  test('sends all that failed since, to enabled endpoints, with the whole retry schedule', async () => {
    const endpoint = await add({ mode: 'fail', times: 4 });
    const { endpointId } = endpoint;
    const failed = [await delivered(endpoint), await delivered(endpoint)];
    await delivered(endpoint);
    await switchOff(endpointId);
    const words = ['resend', '--failed', '--since', '1h', '--endpoint', endpointId];
    expect(await jsonOf(...words)).toEqual({ resent: [] });
    expect(await textOf(...words)).toContain('leadctl webhook deliveries --status pending');
    await webhook('enable', endpointId);
    const { resent } = await jsonOf(...words);
    expect(resent).toEqual(failed.map(({ eventId }) => ({ eventId, endpointId })));
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
    const url = ['--url', `${receiver.url}${newPath()}`, '--allow-http'];
    const events = ['--events', 'lead.created,endpoint.failing'];
    const added = await jsonOf('add', '--client', first.clientId, ...url, ...events);
    const { endpointId } = added;
    const words = ['resend', '--endpoint', endpointId, '--since', '2d'];
    expect(await jsonOf(...words, '--dry-run')).toMatchObject({ dryRun: true, events: 2 });
    expect(await jsonOf(...words)).toMatchObject({ endpointId, events: 2 });
    expect(await relay()).toBe(2);
    for (const { eventId, leadId } of [early, late])
      await settled({ ...early, eventId, leadId, endpointId }, 'delivered');
    expect(receiver.received().map(({ id }) => id)).toEqual(
      expect.arrayContaining([early.eventId, late.eventId]),
    );
    // What it got is sent once more; what is on its way is not sent twice.
    expect(await jsonOf(...words, '--yes')).toMatchObject({ events: 2 });
    expect(await jsonOf(...words, '--dry-run')).toMatchObject({ events: 0 });
    expect(await jsonOf(...words, '--yes')).toMatchObject({ events: 0 });
    await relay();
    await called(4);
  });

  test('restarts a delivery that is still being retried', async () => {
    const { endpoint, delivery } = await throttled(1);
    await webhook('resend', `${delivery.eventId}/${endpoint.endpointId}`);
    await relay();
    await settled(delivery, 'delivered');
  });

  test.each([
    [[], /^Name one event/],
    [['evt_1', '--failed'], /^Name one event/],
    [['--failed', '--dry-run'], /^--dry-run goes with --endpoint and --since/],
    [['evt_none'], /^Delivery of event evt_none not found\.$/],
  ])('refuses %j', async (words, message) => {
    await expect(webhook('resend', ...words)).rejects.toThrow(message);
  });

  test('says whether there is no such delivery or its endpoint is switched off', async () => {
    const [endpoint, other] = [await add(), await add()];
    const { eventId, endpointId } = await makeDelivery(store, endpoint);
    await expect(webhook('disable', endpointId)).rejects.toThrow(
      `leadctl webhook enable ${endpointId} takes it back, but for these deliveries: say --yes`,
    );
    await switchOff(endpointId);
    for (const id of [eventId, `${eventId}/${endpointId}`])
      await expect(webhook('resend', id)).rejects.toThrow(
        `Endpoint ${endpointId} is switched off: leadctl webhook enable ${endpointId} switches it on.`,
      );
    await expect(webhook('resend', `${eventId}/${other.endpointId}`)).rejects.toThrow(
      `Delivery of event ${eventId} to endpoint ${other.endpointId} not found.`,
    );
  });
});

test('without Temporal a resend waits in the outbox; a test does nothing and reports it', async () => {
  const endpoint = await add({ mode: 'fail', times: 2 });
  const delivery = await delivered(endpoint);
  await settled(delivery, 'failed');
  const cutOff = leadctlAt(`127.0.0.1:${await freePort()}`);
  await expect(cutOff('webhook', 'test', endpoint.endpointId)).rejects.toThrow(
    /Temporal cannot be reached at .*, so nothing was done/,
  );
  await cutOff('webhook', 'resend', delivery.eventId);
  expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 0 });
  expect(await relay()).toBe(1);
  await settled(delivery, 'delivered');
});

test('webhook edit sends what is resent to the new address, signed with the same secret', async () => {
  const endpoint = await add({ mode: 'fail' });
  const { endpointId } = endpoint;
  const delivery = await delivered(endpoint);
  const path = newPath();
  receiver.setSecret(endpoint.secret, path);
  const edit = (url: string) => jsonOf('edit', endpointId, '--url', url, '--allow-http');
  await expect(edit('ftp://shop.example')).rejects.toThrow('The address cannot be used');
  expect((await show(endpointId)).failingSince).not.toBeNull();
  expect((await edit(`${receiver.url}${path}`)).url).toBe(`${receiver.url}${path}`);
  expect((await show(endpointId)).failingSince).toBeNull();
  await webhook('resend', delivery.eventId);
  await relay();
  await settled(delivery, 'delivered');
  expect(receiver.received()[0]).toMatchObject({ path, verdict: 'verified' });
});

describe('webhook enable', () => {
  test('sends at once what waited for its next attempt', async () => {
    const { endpoint, delivery } = await throttled(1);
    await switchOff(endpoint.endpointId);
    expect(await jsonOf('enable', endpoint.endpointId)).toMatchObject({ due: 1 });
    expect(await relay()).toBe(1);
    expect(await settled(delivery, 'delivered')).toMatchObject({ attempts: 2 });
  });

  test('sends what waits also where the endpoint was on, as webhook edit says', async () => {
    const { endpoint, delivery } = await throttled();
    const { endpointId } = endpoint;
    const url = `${receiver.url}${newPath()}`;
    expect(await textOf('edit', endpointId, '--url', url, '--allow-http')).toContain(
      `1 delivery to it waits: leadctl webhook enable ${endpointId} sends what waits now.`,
    );
    const enabled = await textOf('enable', endpointId);
    expect(enabled).toContain('was on already.\n1 delivery that still waited: sent now.');
    expect(enabled).not.toContain('/public/events');
    expect(await relay()).toBe(1);
    await settled(delivery, 'delivered');
  });

  test('names the command that sends what happened while the endpoint was off', async () => {
    const endpoint = await add();
    await delivered(endpoint);
    const { eventId, endpointId } = await makeDelivery(store, endpoint);
    await switchOff(endpointId);
    // The request of this event began before the endpoint was off, and was written after that.
    await store.database.query(`delete from webhook_deliveries where event_id = $1`, [eventId]);
    const enabled = await textOf('enable', endpointId);
    expect(enabled).toContain('GET /public/events');
    const [, named = '', since = ''] =
      /leadctl webhook resend --endpoint (\S+) --since (\S+)/.exec(enabled) ?? [];
    expect(named).toBe(endpointId);
    expect(await jsonOf('resend', '--endpoint', named, '--since', since)).toMatchObject({
      events: 2,
    });
  });
});

test('webhook disable changes nothing about an endpoint that is off already, and says since when and why', async () => {
  const { endpointId } = await delivered(await add());
  await switchOff(endpointId, '--reason', 'Their server moves.');
  expect(await switchOff(endpointId, '--reason', 'Another one.')).toMatch(
    /is off already since .*: Their server moves\.\nNothing was changed\./,
  );
  expect((await show(endpointId)).disabledReason).toBe('Their server moves.');
});

describe('in the Web UI', () => {
  const becomes = (delivery: TestDelivery, state: string | undefined) =>
    waitUntil(
      async () => {
        const { typedSearchAttributes } = await runOf(delivery).describe();
        const found = typedSearchAttributes.getAll().find(({ key }) => key.name === 'WebhookState');
        expect(found?.value).toBe(state);
      },
      { what: `WebhookState ${state}` },
    );

  test('a delivery that is retried is a pending activity with its attempt and last failure', async () => {
    const { endpoint, delivery, activity } = await throttled(1);
    await becomes(delivery, 'retrying');
    expect(activity.activityType?.name).toBe('retryWebhook');
    expect(activity.attempt).toBe(2);
    expect(activity.lastFailure?.message).toMatch(
      /^Attempt 1 of 2 of lead\.created to 127\.0\.0\.1:\d+: it answered 429; the next attempt comes in (1 h|59 min)\.$/,
    );
    const page = await runOf(delivery).query<{ currentDetails: string }>(
      '__temporal_workflow_metadata',
    );
    const command = `leadctl webhook resend ${delivery.eventId}/${endpoint.endpointId}`;
    expect(page.currentDetails).toContain(command);
    await webhook('resend', `${delivery.eventId}/${endpoint.endpointId}`);
    await relay();
    await becomes(delivery, undefined);
  });

  test('a lead with a failed delivery is found by it', async () => {
    const endpoint = await add({ mode: 'fail' });
    await delivered(endpoint);
    const query = `WebhookState = 'failed' and OAuthClientId = '${endpoint.clientId}'`;
    await waitUntil(async () => expect((await worker.client.workflow.count(query)).count).toBe(1), {
      what: 'the search attributes',
    });
  });
});
