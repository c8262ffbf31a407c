import { leaseOutboxBatch } from '../../store/leads/outbox.ts';
import { stateGauges } from '../../store/leads/work-states.ts';
import { createReconciler } from '../../worker/reconciler.ts';
import { startTestApi } from '../support/api.ts';
import { asAdmin } from '../support/database.ts';
import { testActivityContext } from '../support/worker.ts';

const LEADS = 3;

let startMs: number;

const api = await startTestApi();
const afterMs = api.config.reconcileAfterMs;
afterAll(() => api.stop());

beforeEach(async () => {
  startMs = Date.now();
  api.setNow(new Date(startMs));
  await api.database.query(`update leads set assignment_status = 'unassigned'`);
  for (let count = 0; count < LEADS; count += 1) await api.create();
  await handOverAll();
});

const handOverAll = () => api.database.query(`delete from lead_outbox`);

const remindedAfter = (ms: number) =>
  createReconciler(testActivityContext(api.database, api.config, () => new Date(startMs + ms)))();

test('a pending lead gets an outbox row once it is overdue, and not before', async () => {
  expect(await remindedAfter(afterMs - 2000)).toBe(0);
  expect(await remindedAfter(afterMs)).toBe(LEADS);
});

test('a lead that stays overdue gets another outbox row only after the same time, however often the reconciler runs', async () => {
  expect(await remindedAfter(afterMs)).toBe(LEADS);
  expect(await remindedAfter(3 * afterMs)).toBe(0); // the first row waits
  await handOverAll();
  for (const fraction of [0, 0.25, 0.5, 0.99])
    expect(await remindedAfter((1 + fraction) * afterMs)).toBe(0);
  expect(await remindedAfter(2 * afterMs)).toBe(LEADS);
});

test('the longer a lead is overdue the rarer its outbox rows, yet at least one in sixteen runs', async () => {
  const remindedAt: number[] = [];
  for (let runs = 1; runs <= 120; runs += 1) {
    if ((await remindedAfter(runs * afterMs)) > 0) remindedAt.push(runs);
    await handOverAll();
  }
  const pauses = remindedAt.slice(1).map((at, index) => at - (remindedAt[index] ?? 0));
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses[0]).toBe(1);
  expect(pauses.at(-1)).toBeGreaterThanOrEqual(15);
  expect(pauses.at(-1)).toBeLessThanOrEqual(16);
  expect(remindedAt.length).toBeLessThan(20);
});

test('concurrent reconcilers write one outbox row per lead', async () => {
  const found = await Promise.all([1, 2, 3, 4].map(() => remindedAfter(afterMs)));
  const rows = await api.database.query(`select lead_id from lead_outbox where event = 'recover'`);
  expect(rows).toHaveLength(LEADS);
  expect(found.reduce((sum, count) => sum + count)).toBe(LEADS);
});

test('a hundred reminders wait at a time, over all workers, and come after what nobody has signalled yet', async () => {
  await api.database.query(`
    insert into leads
    select made.* from (select to_jsonb(l) as row from leads l where assignment_status = 'pending' limit 1) l,
      generate_series(1, 250) n, jsonb_populate_record(null::leads, row || jsonb_build_object('id', gen_random_uuid(), 'utm_term', n)) made`);
  const at = new Date(startMs + afterMs);
  const reconcile = createReconciler(testActivityContext(api.database, api.config, () => at));
  expect([await reconcile(), await reconcile(), await remindedAfter(afterMs)]).toEqual([100, 0, 0]);
  await api.database.query(
    `insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
     select lead_id, 'updated', $1, $1 from lead_outbox limit 3`,
    [at],
  );
  const rows = await leaseOutboxBatch(api.database, at, 10);
  const events = rows.map(({ event }) => event).toSorted();
  expect(events).toEqual([...Array(7).fill('recover'), ...Array(3).fill('updated')]);
  const gauge = stateGauges(api.database).find(({ name }) => name === 'lead_outbox_rows');
  expect(await gauge?.read()).toEqual([{ value: 3 }]);
  await handOverAll();
  const total = 250 + LEADS;
  expect([await reconcile(), await reconcile()]).toEqual([100, 0]);
  await handOverAll();
  expect(await reconcile()).toBe(total - 200);
  await api.database.query(`update leads set assignment_status = 'unassigned'`);
  await handOverAll();
});

async function addDelivery(): Promise<void> {
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
    insert into webhook_deliveries (event_id, endpoint_id, lead_id, created_at)
    select event.id, endpoint.id, lead.id, at from lead, endpoint, event`);
}

test('the lead of an overdue delivery gets an outbox row, and no other one for as long', async () => {
  await api.database.query(`update leads set assignment_status = 'unassigned'`);
  await addDelivery();
  expect(await remindedAfter(afterMs)).toBe(1);
  await handOverAll();
  expect(await remindedAfter(1.5 * afterMs)).toBe(0);
  expect(await remindedAfter(2 * afterMs)).toBe(1);
});

test('a delivery whose next attempt is not due yet gets none', async () => {
  await api.database.query(`update leads set assignment_status = 'unassigned'`);
  await api.database.query(
    `update webhook_deliveries set next_attempt_at = $1 where status = 'pending'`,
    [new Date(startMs + 2 * afterMs)],
  );
  expect(await remindedAfter(2.5 * afterMs)).toBe(0);
  // The endpoint of the test before also receives events of this test's leads.
  expect(await remindedAfter(3 * afterMs)).toBe(LEADS + 1);
});

/** What the statement reads with the one plan that a connection keeps for all values, in pages of 8 KiB. */
async function pagesOfLooking(): Promise<number> {
  let statement = '';
  const stop = api.database.onStatement((text) => (statement = text)); // the last one
  await remindedAfter(afterMs);
  stop();
  return api.database.transaction(async (sql) => {
    await sql.query(`set local plan_cache_mode = force_generic_plan`);
    await sql.query(`prepare statement (timestamptz, timestamptz, int) as ${statement}`);
    const [row] = await sql.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) execute statement (now(), now() - interval '1 minute', 100)`,
    );
    await sql.query(`deallocate statement`);
    const plan = row?.['QUERY PLAN'][0].Plan;
    return Number(plan?.['Shared Hit Blocks']) + Number(plan?.['Shared Read Blocks']);
  });
}

test('the reconciler reads overdue leads only, whatever the planner’s statistics say', async () => {
  await api.database.query(`
    insert into leads
    select made.* from (select to_jsonb(l) as row from leads l limit 1) l, generate_series(1, 60000) n,
      jsonb_populate_record(null::leads, row || jsonb_build_object(
        'id', gen_random_uuid(), 'assignment_status', 'unassigned', 'is_portal', n % 2 = 0,
        'merge_window_ends_at', now() + case when n % 2 = 0 then -1 else 1 end * interval '1 day')) made`);
  await asAdmin(api.config.database.url, `vacuum analyze leads`);
  expect(await pagesOfLooking()).toBeLessThan(100);
});
