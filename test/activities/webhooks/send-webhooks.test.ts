import { ApplicationFailure } from '@temporalio/common';
import { waitUntil } from '../../../dev/wait-until.ts';
import {
  countOpenDeliveries,
  releaseHeldDeliveries,
  reopenDeliveries,
} from '../../../store/webhooks/deliveries.ts';
import { holdDelivery } from '../../../store/webhooks/attempts.ts';
import { formatSecret, sealSecret } from '../../../domain/webhooks/secret.ts';
import {
  addDelivery,
  attemptRows,
  createTestActivities,
  deliveryRow,
  endpointRow,
  letItBeDue,
  makeDelivery,
  makeEndpoint,
  openWebhookDesk,
  type TestDelivery,
} from './support.ts';
import { standStill } from '../../support/stand-still.ts';

/** What comes before the response at a path. */
const whenReceived = new Map<string, () => void | Promise<void>>();
beforeEach(() => whenReceived.clear());

const onReceived = ({ path }: { path: string }) => whenReceived.get(path)?.();
const variables = { WEBHOOK_RETRY_SECONDS: '60,60', WEBHOOK_TIMEOUT_SECONDS: '60' };
const { store, receiver, ...desk } = await openWebhookDesk(variables, { onReceived });
const { database } = store;

/** The first responses at the path wait until what is returned is called. */
function hold(path: string, count = Infinity): () => void {
  const held = Promise.withResolvers<null>();
  let calls = 0;
  whenReceived.set(path, async () => void ((calls += 1) <= count && (await held.promise)));
  return () => held.resolve(null);
}

/** `count` events of one lead that are ready together for an endpoint of its own. */
async function prepare(count: number): Promise<{ path: string; deliveries: TestDelivery[] }> {
  const { path, delivery: first } = await desk.prepare();
  const deliveries = [first];
  while (deliveries.length < count) deliveries.push(await addDelivery(store, first));
  return { path, deliveries };
}

function inputFor(deliveries: readonly TestDelivery[]) {
  const [first] = deliveries;
  if (!first) throw new Error('There is none.');
  const { endpointId, oauthClientId } = first;
  const refs = deliveries.map(({ eventId, generation }) => ({ eventId, generation }));
  return { endpointId, oauthClientId, deliveries: refs };
}

const idsOf = (deliveries: readonly { eventId: string }[]) =>
  deliveries.map(({ eventId }) => eventId);
/** Newest first, as the receiver lists them. */
const arrived = () => receiver.received().map(({ id }) => id);

describe('events that are ready together for one endpoint', () => {
  test('are sent the oldest first, each with its own id, body and record', async () => {
    const { deliveries } = await prepare(3);
    const reports = await createTestActivities(store).sendWebhooks(inputFor(deliveries));
    expect(arrived().reverse()).toEqual(idsOf(deliveries));
    expect(reports).toEqual(
      idsOf(deliveries).map((eventId) => ({
        eventId,
        outcome: 'delivered',
        attempts: 1,
        detail: 'it answered 200',
      })),
    );
    for (const delivery of deliveries) {
      expect(await attemptRows(store, delivery)).toHaveLength(1);
      expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'delivered' });
    }
  });

  test('have a schedule each: one that fails holds no other up', async () => {
    const { path, deliveries } = await prepare(2);
    receiver.setBehaviour({ mode: 'fail', status: 503, times: 1, path });
    const [failed, delivered] = await createTestActivities(store).sendWebhooks(
      inputFor(deliveries),
    );
    expect(failed).toMatchObject({
      outcome: 'retrying',
      attempts: 1,
      detail: expect.stringMatching(
        /^Attempt 1 of 3 of lead\.created to .*: it answered 503; the next attempt/,
      ),
    });
    expect(delivered).toMatchObject({ outcome: 'delivered', attempts: 1 });
  });

  test('go past one that gets no answer', async () => {
    const { path, deliveries } = await prepare(2);
    const release = hold(path, 1);
    const sending = createTestActivities(store).sendWebhooks(inputFor(deliveries));
    const [hanging, next] = deliveries;
    await waitUntil(async () => expect(arrived()).toContain(next?.eventId), { what: 'the next' });
    expect(await attemptRows(store, hanging as TestDelivery)).toEqual([]);
    release();
    expect(await sending).toMatchObject([{ outcome: 'delivered' }, { outcome: 'delivered' }]);
  });

  test('once 410 switched the endpoint off are not sent', async () => {
    const { path, deliveries } = await prepare(2);
    receiver.setBehaviour({ mode: 'gone', path });
    const reports = await createTestActivities(store).sendWebhooks(inputFor(deliveries));
    expect(reports.map(({ outcome }) => outcome)).toEqual(['failed', 'failed']);
    expect(arrived()).toHaveLength(1);
  });
});

describe('the activity, run again', () => {
  test('sends what arrived to nobody twice', async () => {
    const { deliveries } = await prepare(2);
    const { sendWebhooks } = createTestActivities(store);
    await sendWebhooks(inputFor(deliveries.slice(0, 1)));
    const reports = await sendWebhooks(inputFor(deliveries));
    expect(reports.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered']);
    expect(arrived().reverse()).toEqual(idsOf(deliveries));
  });

  test('waits where the endpoint has no room for a call, which counts as no attempt', async () => {
    const { deliveries } = await prepare(2);
    // Two slots: a client may have one call open.
    const { sendWebhooks } = createTestActivities(store, { callSlots: 2 });
    const release = hold('/hooks/slow');
    const slow = await makeEndpoint(store, `${receiver.url}/hooks/slow`);
    const [first] = deliveries;
    const other = { ...inputFor([await makeDelivery(store, slow)]) };
    const occupying = sendWebhooks({ ...other, oauthClientId: first?.oauthClientId ?? '' });
    await waitUntil(async () => expect(arrived()).toHaveLength(1), { what: 'the open call' });
    const failure = await sendWebhooks(inputFor(deliveries)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'Throttled', category: 'BENIGN' });
    for (const delivery of deliveries)
      expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 0 });
    release();
    await occupying;
  });
});

describe('a delivery that was sent again', () => {
  const reopen = ({ eventId, endpointId }: TestDelivery) =>
    reopenDeliveries(database, { eventId, endpointId, since: null }, new Date());

  test('is left alone by an activity of an earlier generation', async () => {
    const { deliveries } = await prepare(1);
    const [delivery] = deliveries;
    await reopen(delivery as TestDelivery);
    const { sendWebhooks } = createTestActivities(store);
    expect(await sendWebhooks(inputFor(deliveries))).toMatchObject([{ outcome: 'superseded' }]);
    expect(arrived()).toEqual([]);
    const newer = { ...(delivery as TestDelivery), generation: 1 };
    expect(await sendWebhooks(inputFor([newer]))).toMatchObject([{ outcome: 'delivered' }]);
  });

  test('while its call was open keeps that attempt and stays due', async () => {
    const { path, deliveries } = await prepare(1);
    const [delivery] = deliveries as [TestDelivery];
    const release = hold(path);
    const sending = createTestActivities(store).sendWebhooks(inputFor(deliveries));
    await waitUntil(async () => expect(arrived()).toHaveLength(1), { what: 'the open call' });
    await reopen(delivery);
    release();
    expect(await sending).toMatchObject([{ outcome: 'superseded' }]);
    expect(await attemptRows(store, delivery)).toHaveLength(1);
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 0 });
  });
});

test('a call during which the worker was frozen is no attempt, and says nothing of the endpoint', async () => {
  const hasty = { ...store, config: { ...store.config } };
  hasty.config.webhooks = { ...store.config.webhooks, timeoutMs: 3000 };
  const { path, endpoint, delivery } = await desk.prepare({ mode: 'hang', times: 1 });
  whenReceived.set(path, () => standStill(5500));
  const sending = createTestActivities(hasty).sendWebhooks(inputFor([delivery]));
  const failure: unknown = await sending.catch((error: unknown) => error);
  expect(arrived()).toHaveLength(1);
  expect(failure).toMatchObject({ type: 'Interrupted', nonRetryable: false });
  expect(await attemptRows(store, delivery)).toEqual([]);
  expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending', attempts: 0 });
  expect((await endpointRow(store, endpoint)).failingSince).toBeNull();
});

describe('what changes while an attempt connects counts', () => {
  /** The change comes as the name is resolved, as if that took two seconds. */
  async function sendDuring(change: (delivery: TestDelivery, path: string) => Promise<unknown>) {
    const { path } = await desk.prepare();
    const { port } = new URL(receiver.url);
    const endpoint = await makeEndpoint(store, `http://endpoint.example:${port}${path}`);
    const delivery = await makeDelivery(store, endpoint);
    let isChanged = false;
    const resolve = async () => {
      if (!isChanged) {
        isChanged = true;
        await change(delivery, path);
        const now = performance.now.bind(performance);
        jest.spyOn(performance, 'now').mockImplementation(() => now() + 2000);
      }
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const sending = createTestActivities(store, { resolve }).sendWebhooks(inputFor([delivery]));
    const [report] = await sending.finally(() => jest.restoreAllMocks());
    return { outcome: report?.outcome, calls: receiver.received() };
  }

  test('its client is deactivated', async () => {
    const text = 'update oauth_clients set active = false where client_id = $1';
    const sent = await sendDuring(({ oauthClientId }) => database.query(text, [oauthClientId]));
    expect(sent).toMatchObject({ outcome: 'held', calls: [] });
  });

  test('the endpoint is switched off', async () => {
    const text = 'update webhook_endpoints set enabled = false where id = $1';
    const sent = await sendDuring(({ endpointId }) => database.query(text, [endpointId]));
    expect(sent).toMatchObject({ outcome: 'failed', calls: [] });
  });

  test('the endpoint has another address and another secret', async () => {
    const secret = formatSecret(Buffer.alloc(32, 7));
    const sealed = sealSecret(secret, store.config.secretsKey, Buffer.alloc(12, 7));
    const text = `update webhook_endpoints set url = url || '-moved', secret_sealed = $2 where id = $1`;
    const sent = await sendDuring(({ endpointId }, path) => {
      receiver.setSecret(secret, `${path}-moved`);
      return database.query(text, [endpointId, sealed]);
    });
    const [path, verdict] = [expect.stringMatching(/-moved$/), 'verified'];
    expect(sent).toMatchObject({ outcome: 'delivered', calls: [{ path, verdict }] });
  });
});

describe('deliveries of a deactivated client', () => {
  const setActive = (clientId: string, active: boolean) =>
    database.query('update oauth_clients set active = $2 where client_id = $1', [clientId, active]);

  test('are held without a call, and are due with their attempts when it is active again', async () => {
    const { path, deliveries } = await prepare(2);
    const [first, second] = deliveries as [TestDelivery, TestDelivery];
    const { oauthClientId } = first;
    receiver.setBehaviour({ mode: 'fail', times: 1, path });
    const activities = createTestActivities(store);
    await activities.sendWebhooks(inputFor([first]));
    await letItBeDue(store, first);
    await setActive(oauthClientId, false);
    expect(await countOpenDeliveries(database, oauthClientId)).toBe(2);
    expect(await activities.retryWebhook(first)).toMatchObject({ outcome: 'held', attempts: 1 });
    const [report] = await activities.sendWebhooks(inputFor([second]));
    expect(report).toMatchObject({ outcome: 'held', attempts: 0 });
    expect(await activities.retryWebhook(first)).toMatchObject({ outcome: 'held' });
    expect(await deliveryRow(store, first)).toMatchObject({ status: 'held', attempts: 1 });
    expect(arrived()).toEqual([first.eventId]);
    expect(await countOpenDeliveries(database, oauthClientId)).toBe(2);

    await setActive(oauthClientId, true);
    expect(await releaseHeldDeliveries(database, oauthClientId, new Date())).toBe(2);
    expect(await activities.retryWebhook({ ...first, generation: 1 })).toMatchObject({
      outcome: 'delivered',
      attempts: 2,
    });
    expect(await activities.sendWebhooks(inputFor([second]))).toMatchObject([
      { outcome: 'superseded' },
    ]);
  });

  test('are not held where it is activated just then', async () => {
    const { deliveries } = await prepare(1);
    const [delivery] = deliveries as [TestDelivery];
    expect(await holdDelivery(database, delivery)).toBe(false);
    expect(await deliveryRow(store, delivery)).toMatchObject({ status: 'pending' });
  });
});
