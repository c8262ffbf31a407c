import process from 'node:process';
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
// eslint-disable-next-line no-restricted-properties -- a switch of the measurement
const LEADS = Number(process.env.FAIRNESS_LEADS ?? 60);
/** Fewer slots than the black holes, each of a client of its own, would take if they could. */
const WORKER_SLOTS = 40;
const BLACK_HOLES = 4;

const PACE_MS = 80;
/** Long enough for a busy machine, and shorter than a call hangs. */
const WAIT_MS = 300_000;

const blackHoles = Array.from({ length: BLACK_HOLES }, (_none, at) => `/hooks/black-hole-${at}`);

const arrivedAt = new Map<string, number>();
let blackHoleCalls = 0;
function onReceived({ id, path }: Received): void {
  arrivedAt.set(id, Date.now());
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
  for await (const { workflowId } of running()) {
    // What ended meanwhile needs no end.
    await worker.client.workflow
      .getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
  }
  await worker.stop();
  await store.close();
});

/** To the endpoints in turn. */
async function deliveriesTo(endpoints: readonly TestEndpoint[]): Promise<TestDelivery[]> {
  const made = [];
  for (let count = 0; count < LEADS; count += 1)
    made.push(await makeDelivery(store, endpoints[count % endpoints.length] as TestEndpoint));
  return made;
}

const running = () => worker.client.workflow.list({ query: `ExecutionStatus = 'Running'` });

/** In the rhythm of leads that come in one after the other; from the start to the arrival. */
async function arrivalOf(deliveries: TestDelivery[], beside: TestDelivery[]): Promise<void> {
  const startedAt = new Map<string, number>();
  for (const [index, delivery] of deliveries.entries()) {
    startedAt.set(delivery.eventId, Date.now());
    const other = beside[index];
    await Promise.all([worker.start(delivery), other ? worker.start(other) : null]);
    await new Promise((later) => setTimeout(later, PACE_MS));
  }
  await waitUntil(
    async () => {
      const missing = deliveries.filter(({ eventId }) => !arrivedAt.has(eventId)).length;
      if (missing > 0) throw new Error(`${missing} are missing`);
    },
    { what: 'all deliveries', timeoutMs: WAIT_MS },
  );
  const sorted = [...startedAt]
    .map(([eventId, at]) => (arrivedAt.get(eventId) ?? 0) - at)
    .sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
  process.stderr.write(`${sorted.length} deliveries: median ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
}

describe('endpoints that hang', () => {
  test('do not hold up the deliveries of another, however many clients they belong to', async () => {
    const toReceiver = (path: string) => makeEndpoint(store, `${receiver.url}${path}`);
    const shop = [await toReceiver('/hooks/shop')];
    const hanging = await Promise.all(blackHoles.map(toReceiver));
    await arrivalOf((await deliveriesTo(shop)).slice(0, 10), []);
    await arrivalOf(await deliveriesTo(shop), []);
    await arrivalOf(await deliveriesTo(shop), await deliveriesTo(hanging));
    const manyHang = async () => expect(blackHoleCalls).toBeGreaterThan(WORKER_SLOTS / 2);
    await waitUntil(manyHang, { what: 'Calls that hang', timeoutMs: WAIT_MS });
  });
});
