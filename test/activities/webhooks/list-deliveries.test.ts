import { listDeliveries } from '../../../store/webhooks/deliveries.ts';
import { createTestStore, makeDelivery, makeEndpoint } from './support.ts';

const ENDPOINTS = 8;

const store = await createTestStore();
afterAll(() => store.close());

test('lists the deliveries of one event in the same order whatever was written since', async () => {
  const first = await makeEndpoint(store, 'https://shop.example/hook');
  const { eventId, leadId } = await makeDelivery(store, first);
  for (let count = 1; count < ENDPOINTS; count += 1) {
    const { endpointId } = await makeEndpoint(store, 'https://shop.example/hook');
    await store.database.query(
      `insert into webhook_deliveries (event_id, endpoint_id, lead_id, created_at)
       select event_id, $2, lead_id, created_at from webhook_deliveries where event_id = $1 limit 1`,
      [eventId, endpointId],
    );
  }
  const page = (limit: number) => listDeliveries(store.database, { ...anyOf(leadId), limit });
  const listed = async (limit: number) => (await page(limit)).rows;
  const ids = (await listed(ENDPOINTS)).map(({ endpointId }) => endpointId);
  await store.database.query(
    `update webhook_deliveries set attempts = 1 where event_id = $1 and endpoint_id = any($2)`,
    [eventId, ids.slice(0, ENDPOINTS / 2)],
  );
  expect((await listed(ENDPOINTS)).map(({ endpointId }) => endpointId)).toEqual(ids);
  expect((await listed(3)).map(({ endpointId }) => endpointId)).toEqual(ids.slice(0, 3));
  for (const limit of [1, ENDPOINTS, ENDPOINTS + 1])
    expect((await page(limit)).total).toBe(ENDPOINTS);
});

function anyOf(leadId: string) {
  return { endpointId: null, leadId, event: null, status: null, since: null };
}
