import { startReceiver, type Received } from '../../../dev/receiver/server.ts';
import { waitUntil } from '../../../dev/wait-until.ts';
import {
  createTestStore,
  makeDelivery,
  makeEndpoint,
  type TestDelivery,
  type TestEndpoint,
} from './support.ts';
import { startWebhookWorker } from './worker.ts';

/** How many leads the shop's endpoint receives, and the black holes together. */
const LEADS = 60;
/** Fewer slots than the black holes, each of a client of its own, would take if they could. */
const WORKER_SLOTS = 40;
const BLACK_HOLES = 4;

const PACE_MS = 80;
/** Long enough for a busy machine, and shorter than a call hangs. */
const WAIT_MS = 300_000;

const blackHoles = Array.from({ length: BLACK_HOLES }, (_none, at) => `/hooks/black-hole-${at}`);

const arrived = new Set<string>();
let blackHoleCalls = 0;
function onReceived({ id, path }: Received): void {
  arrived.add(id);
  if (path.startsWith('/hooks/black-hole')) blackHoleCalls += 1;
}

// A call that hangs does so for as long as the test takes: what waits for it never arrives.
const store = await createTestStore({ WEBHOOK_TIMEOUT_SECONDS: '600' });
const [receiver, worker] = await Promise.all([
  startReceiver({ onReceived }),
  startWebhookWorker(store, WORKER_SLOTS),
]);
for (const path of blackHoles) receiver.setBehaviour({ mode: 'hang', path });
afterAll(async () => {
  // Ends the calls that hang, so that the worker has nothing in hand.
  await receiver.stop();
  await worker.stop();
  await store.close();
});

async function deliveriesTo(endpoints: readonly TestEndpoint[]): Promise<TestDelivery[]> {
  const made = [];
  for (let count = 0; count < LEADS; count += 1)
    made.push(await makeDelivery(store, endpoints[count % endpoints.length] as TestEndpoint));
  return made;
}

async function deliver(deliveries: TestDelivery[], beside: TestDelivery[]): Promise<void> {
  for (const [index, delivery] of deliveries.entries()) {
    const other = beside[index];
    await Promise.all([worker.start(delivery), other ? worker.start(other) : null]);
    await new Promise((later) => setTimeout(later, PACE_MS));
  }
  const haveArrived = async () =>
    expect(deliveries.filter(({ eventId }) => !arrived.has(eventId))).toEqual([]);
  await waitUntil(haveArrived, { what: 'All deliveries', timeoutMs: WAIT_MS });
}

describe('endpoints that hang', () => {
  test('do not hold up the deliveries of another, however many clients they belong to', async () => {
    const toReceiver = (path: string) => makeEndpoint(store, `${receiver.url}${path}`);
    const shop = [await toReceiver('/hooks/shop')];
    const hanging = await Promise.all(blackHoles.map(toReceiver));
    await deliver(await deliveriesTo(shop), await deliveriesTo(hanging));
    const manyHang = async () => expect(blackHoleCalls).toBeGreaterThan(WORKER_SLOTS / 2);
    await waitUntil(manyHang, { what: 'Calls that hang', timeoutMs: WAIT_MS });
  });
});
