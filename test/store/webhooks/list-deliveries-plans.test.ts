import { listDeliveries, type DeliveryFilter } from '../../../store/webhooks/deliveries.ts';
import { explaining, type Plan } from '../../support/explaining.ts';
import { openDatabase } from '../catalogue/open.ts';

/** The statistics are those of the first size. */
const SIZES = [3_000, 60_000];
const PER_DAY = 1000;
const MOST_PAGES = 1_500;
/** The count ends after ten thousand, each found by an index. */
const MOST_COUNTED_PAGES = 35_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const ALL: DeliveryFilter = {
  endpointId: null,
  leadId: null,
  event: null,
  status: null,
  since: null,
  limit: 50,
};

let size = 0;

const open = await openDatabase('adminUrl');
for (const name of ['webhook_events', 'webhook_attempts', 'webhook_deliveries'])
  await open.database.query(`alter table ${name} set (autovacuum_enabled = false)`);
await grow(SIZES[0] ?? 0);
await open.database.query('analyze');
await grow(SIZES[1] ?? 0);
const rows = await open.database.query<{ id: string }>(
  `select md5(n::text)::uuid as id from generate_series(0, 7) n order by n`,
);
const endpoints = rows.map(({ id }) => id);
afterAll(() => open.close());

/** Every hundredth was given up; the last endpoint got ten, and ten events are of a rare type, all in the first days. */
async function grow(to: number): Promise<void> {
  await open.database.transaction(async (sql) => {
    await sql.query('set local session_replication_role = replica');
    await sql.query(
      `insert into webhook_endpoints (id, client_id, url, events, secret_sealed, created_at)
       select md5(n::text)::uuid, md5('client')::uuid, 'https://shop.example', '{}', '', $1 from generate_series(0, 7) n
       on conflict do nothing`,
      [new Date(START).toISOString()],
    );
    await sql.query(
      `with made as (
         select 'evt_' || lpad(n::text, 7, '0') as id, n, md5((case when n < 3000 and n % 300 = 4 then 7 else n % 7 end)::text)::uuid as endpoint_id,
           case when n < 3000 and n % 300 = 5 then 'lead.pooled' when n % 2 = 0 then 'lead.created' else 'lead.assigned' end as type,
           n % 100 = 0 as is_failed, $1::timestamptz + n / $2::float8 * interval '1 day' as at
         from generate_series($3::int, $4::int) n),
       events as (
         insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
         select id, md5(id)::uuid, md5('client')::uuid, type, 1, '{}', at from made),
       deliveries as (
         insert into webhook_deliveries (event_id, endpoint_id, lead_id, status, created_at, finished_at)
         select id, endpoint_id, md5(id)::uuid, case when is_failed then 'failed' else 'delivered' end, at, at from made)
       insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms)
       select id, endpoint_id, at, case when is_failed then 500 else 200 end, 5 from made`,
      [new Date(START).toISOString(), PER_DAY, size + 1, to],
    );
  });
  size = to;
}

const ago = (days: number) => new Date(START + (size / PER_DAY - days) * 86_400_000);

test.each<[string, number, () => Partial<DeliveryFilter>]>([
  ['nothing', 50, () => ({})],
  ['an endpoint', 50, () => ({ endpointId: endpoints[1] })],
  ['a type', 50, () => ({ event: 'lead.created' })],
  ['a rare type', 10, () => ({ event: 'lead.pooled' })],
  ['a type and an endpoint', 50, () => ({ event: 'lead.assigned', endpointId: endpoints[2] })],
  ['an event', 1, () => ({ event: 'evt_0000500' })],
  ['a state', 50, () => ({ status: 'failed' })],
  ['what was delivered', 50, () => ({ status: 'delivered' })],
  ['a state that none has', 0, () => ({ status: 'held' })],
  ['the last days', 50, () => ({ since: ago(7) })],
  ['an hour in which little happened', 42, () => ({ since: ago(1 / 24) })],
  ['a time to come', 0, () => ({ since: ago(-1) })],
])('a list of 60,000 deliveries by %s reads few pages', async (_what, most, filterOf) => {
  const plans: Plan[] = [];
  const filter = { ...ALL, ...filterOf() };
  const { rows: listed } = await listDeliveries(explaining(open.database, plans), filter);
  expect(listed).toHaveLength(most);
  const times = listed.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  const [list, ...others] = plans;
  expect(list?.steps.filter((step) => /^Seq Scan on webhook_(ev|de|at)/.test(step))).toEqual([]);
  expect(list?.pages).toBeLessThan(MOST_PAGES);
  for (const { pages } of others) expect(pages).toBeLessThan(MOST_COUNTED_PAGES);
});

test('the newest failed deliveries are read without the older ones', async () => {
  const plans: Plan[] = [];
  const filter: DeliveryFilter = { ...ALL, status: 'failed' };
  await listDeliveries(explaining(open.database, plans), filter);
  expect(plans[0]?.steps).toContain('Index Scan on webhook_deliveries_failed_made');
});
