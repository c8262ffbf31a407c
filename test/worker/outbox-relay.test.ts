import { startReceiver } from '../../dev/receiver/server.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { enableEndpoint } from '../../store/webhooks/endpoints.ts';
import { createBulkRelay, relayOutbox } from '../../worker/outbox-relay.ts';
import { startPollLoop } from '../../worker/poll-loop.ts';
import {
  createTestStore,
  deliveryRow,
  makeDelivery,
  makeEndpoint,
} from '../activities/webhooks/support.ts';
import { startWebhookWorker } from '../activities/webhooks/worker.ts';
import { testActivityContext } from '../support/worker.ts';

const LEADS = 300;
/** As worker/outbox-relay.ts has it. */
const MOST_UNDER_WAY = 20;
const WAIT_MS = 300_000;

const store = await createTestStore({
  WEBHOOK_RETRY_SECONDS: '3600',
  WEBHOOK_TIMEOUT_SECONDS: String(WAIT_MS / 1000),
});
const mayAnswer = Promise.withResolvers<undefined>();
const onReceived = ({ path }: { path: string }) =>
  path === '/hooks/failing' ? mayAnswer.promise : undefined;
const [receiver, worker] = await Promise.all([
  startReceiver({ onReceived }),
  startWebhookWorker(store),
]);
receiver.setBehaviour({ mode: 'fail', path: '/hooks/failing' });
afterAll(async () => {
  mayAnswer.resolve(undefined);
  await receiver.stop();
  await worker.stop();
  await store.close();
});

async function count(text: string): Promise<number> {
  const [row] = await store.database.query<{ count: number }>(`select count(*)::int ${text}`);
  return row?.count ?? 0;
}

const backlog = () => count(`from lead_outbox where event = 'endpoint_enabled'`);
/** Leads that were let out and whose attempt is not recorded yet. */
const underWay = () =>
  count(`from webhook_deliveries d where status = 'pending' and attempts > 0 and next_attempt_at is null
    and not exists (select from lead_outbox o where o.lead_id = d.lead_id)`);

test('a new lead passes the backlog of an endpoint that is switched on and fails', async () => {
  const failing = await makeEndpoint(store, `${receiver.url}/hooks/failing`);
  const healthy = await makeEndpoint(store, `${receiver.url}/hooks/healthy`);
  for (let made = 0; made < LEADS; made += 1) await makeDelivery(store, failing);
  await store.database.query(
    `update webhook_deliveries set attempts = 1, next_attempt_at = now() + interval '1 hour'`,
  );
  const enabledAt = new Date();
  await enableEndpoint(store.database, failing.endpointId, enabledAt);
  expect(await backlog()).toBe(LEADS);

  const context = testActivityContext(store.database, store.config);
  // With a clock that stands still no lead ever took too long.
  const bulk = createBulkRelay({ ...context, now: () => enabledAt }, worker.client);
  let most = 0;
  const watched = async () => {
    const signalled = await bulk();
    most = Math.max(most, await underWay());
    return signalled;
  };
  // Before any call has ended, no more leave than may be under way.
  expect(await watched()).toBeGreaterThan(0);

  const fresh = await makeDelivery(store, healthy);
  await store.database.query(
    `insert into lead_outbox (lead_id, event, created_at, next_attempt_at) values ($1, 'created', now(), now())`,
    [fresh.leadId],
  );
  const { log } = context;
  const loops = [
    startPollLoop(watched, { everyMs: 50, name: 'bulk relay', log }),
    startPollLoop(() => relayOutbox(context, worker.client), { everyMs: 50, name: 'relay', log }),
  ];
  const arrived = async () => expect((await deliveryRow(store, fresh)).status).toBe('delivered');
  await waitUntil(arrived, { what: 'The new lead', timeoutMs: WAIT_MS, everyMs: 20 });
  expect(await backlog()).toBe(LEADS - MOST_UNDER_WAY);
  mayAnswer.resolve(undefined);
  const goesOn = async () => expect(await backlog()).toBeLessThan(LEADS - 3 * MOST_UNDER_WAY);
  await waitUntil(goesOn, { what: 'The backlog', timeoutMs: WAIT_MS });
  await Promise.all(loops.map((loop) => loop.stop()));
  expect(most).toBeLessThanOrEqual(MOST_UNDER_WAY);
});
