import { listEndpoints } from '../../../store/webhooks/endpoints.ts';
import { genericPlanOf } from '../../support/explaining.ts';
import { openDatabase } from '../catalogue/open.ts';

/** Calls, delivered after one another; every tenth delivery was given up. */
const SIZES = [10_000, 200_000];
const PER_DAY = 1000;
const START = Date.parse('2026-01-01T00:00:00Z');

let size = 0;

const open = await openDatabase('adminUrl');
for (const name of ['webhook_attempts', 'webhook_deliveries'])
  await open.database.query(`alter table ${name} set (autovacuum_enabled = false)`);
await grow(3 * PER_DAY);
await open.database.query('analyze');
afterAll(() => open.close());

async function grow(to: number): Promise<void> {
  await open.database.transaction(async (sql) => {
    await sql.query('set local session_replication_role = replica');
    await sql.query(
      `with made as (
         select 'evt_' || n as event_id, md5((n % 7)::text)::uuid as endpoint_id, n % 10 = 0 as is_failed,
           $1::timestamptz + n / $2::float8 * interval '1 day' as at
         from generate_series($3::int, $4::int) n),
       deliveries as (
         insert into webhook_deliveries (event_id, endpoint_id, lead_id, status, created_at, finished_at)
         select event_id, endpoint_id, md5(event_id)::uuid, case when is_failed then 'failed' else 'delivered' end, at, at
         from made)
       insert into webhook_attempts (event_id, endpoint_id, at, status_code, latency_ms)
       select event_id, endpoint_id, at, case when is_failed then 500 else 200 end, 5 from made`,
      [new Date(START).toISOString(), PER_DAY, size + 1, to],
    );
  });
  size = to;
}

async function pagesOfList(): Promise<number> {
  const statements: [text: string, values: readonly unknown[]][] = [];
  const stop = open.database.onStatement((...statement) => statements.push(statement));
  const now = new Date(START + (size / PER_DAY) * 86_400_000);
  await listEndpoints(open.database, { clientId: null, endpointId: null }, now);
  stop();
  const [[text, values] = ['', []]] = statements;
  const plan = await genericPlanOf(open.url, text, values);
  expect(plan.steps).toContain('Bitmap Index Scan on webhook_attempts_at');
  expect(plan.steps).not.toContain('Seq Scan on webhook_attempts');
  return plan.pages;
}

test('the list reads the last day alone, with the statistics of the third day', async () => {
  const pages: number[] = [];
  for (const each of SIZES) {
    await grow(each);
    pages.push(await pagesOfList());
  }
  const [small = 0, large = Infinity] = pages;
  expect(large).toBeLessThan(small * 2);
});
