import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { reconcile } from '../../activities/reconciler.ts';
import { startTestApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { testActivityContext } from '../support/worker.ts';

const LEADS = 3;

let api: TestApi;
let afterMs: number;
let startMs: number;

beforeAll(async () => {
  api = await startTestApi();
  afterMs = api.config.reconcileAfterMs;
});
afterAll(() => api?.stop());

let phones = 0;

beforeEach(async () => {
  await api.database.query(`update leads set assignment_status = 'unassigned'`);
  for (let count = 0; count < LEADS; count += 1) {
    const leadPhones = [`+97152${String(1_000_000 + (phones += 1))}`];
    expect((await api.call('POST', '/public/leads', { body: { leadPhones } })).status).toBe(201);
  }
  startMs = Date.now();
  await handOverAll();
});

const handOverAll = () => api.database.query(`delete from lead_outbox`);

const remindedAfter = (ms: number) =>
  reconcile(testActivityContext(api.database, api.config, () => new Date(startMs + ms)));

test('a pending lead is reminded of once it is overdue, and not before', async () => {
  expect(await remindedAfter(afterMs - 2000)).toBe(0);
  expect(await remindedAfter(afterMs)).toBe(LEADS);
});

test('a reminder that waits to be handed over is not written twice', async () => {
  expect(await remindedAfter(afterMs)).toBe(LEADS);
  expect(await remindedAfter(3 * afterMs)).toBe(0);
});

test('a lead that stays overdue is reminded of again only after the same time, however often one looks', async () => {
  expect(await remindedAfter(afterMs)).toBe(LEADS);
  await handOverAll();
  for (const fraction of [0, 0.25, 0.5, 0.99])
    expect(await remindedAfter((1 + fraction) * afterMs)).toBe(0);
  expect(await remindedAfter(2 * afterMs)).toBe(LEADS);
});

test('reconcilers that look at the same time remind of each lead once', async () => {
  const found = await Promise.all([1, 2, 3, 4].map(() => remindedAfter(afterMs)));
  const rows = await api.database.query(`select lead_id from lead_outbox where event = 'recover'`);
  expect(rows).toHaveLength(LEADS);
  expect(found.reduce((sum, count) => sum + count)).toBe(LEADS);
});

async function addStartedDelivery(): Promise<void> {
  await api.database.query(`
    with lead as (select id, client_id, created_at as at from leads order by created_at desc limit 1),
    endpoint as (
      insert into webhook_endpoints (id, client_id, url, events, secret_sealed, created_at)
      select gen_random_uuid(), client_id, 'https://crm.example', '{lead.created}', '', at from lead
      returning id),
    event as (
      insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
      select 'evt_1', id, client_id, 'lead.created', 1000, '{}', at from lead
      returning id)
    insert into webhook_deliveries (event_id, endpoint_id, lead_id, created_at, started_at)
    select event.id, endpoint.id, lead.id, at, at from lead, endpoint, event`);
}

test('a delivery that no one carries is freed with the reminder, and then left to its lead', async () => {
  await api.database.query(`update leads set assignment_status = 'unassigned'`);
  await addStartedDelivery();
  const carried = () =>
    api.database.query(`select event_id from webhook_deliveries where started_at is not null`);

  expect(await remindedAfter(afterMs)).toBe(1);
  expect(await carried()).toHaveLength(0);
  await handOverAll();
  await api.database.query(`update webhook_deliveries set started_at = created_at`);
  expect(await remindedAfter(1.5 * afterMs)).toBe(0);
  expect(await carried()).toHaveLength(1);
});
