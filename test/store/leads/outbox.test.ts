import { leaseBulkBatch, leaseOutboxBatch } from '../../../store/leads/outbox.ts';
import { genericPlanOf } from '../../support/explaining.ts';
import { openDatabase } from '../catalogue/open.ts';

const NOW = new Date('2026-03-01T09:00:00Z');

const open = await openDatabase('adminUrl');
beforeEach(() => open.database.query('truncate lead_outbox'));
afterAll(() => open.close());

/** Each is due a millisecond after the one before. */
async function write(event: string, count: number, firstDueAt: string): Promise<void> {
  await open.database.query(
    `insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
     select gen_random_uuid(), $1, $2, $2::timestamptz + n * interval '1 millisecond'
     from generate_series(1, $3::int) n`,
    [event, firstDueAt, count],
  );
}

const leased = async (limit: number, at = NOW, lease = leaseOutboxBatch) =>
  (await lease(open.database, at, limit)).map(({ event }) => event).sort();

test('the kinds of events take turns, and reminders come last', async () => {
  await write('recover', 3, '2026-03-01T06:00:00Z');
  await write('created', 5, '2026-03-01T07:00:00Z');
  await write('routed', 1000, '2026-03-01T08:00:00Z');
  await write('updated', 1, '2026-03-01T08:30:00Z');
  expect(await leased(5)).toEqual(['created', 'created', 'routed', 'routed', 'updated']);
  expect(await leased(4)).toEqual(['created', 'created', 'routed', 'routed']);
  expect(await leased(997)).not.toContain('recover');
  expect(await leased(3)).toEqual(['recover', 'recover', 'recover']);
});

test('bulk events are leased by themselves, and take turns too', async () => {
  await write('endpoint_enabled', 1000, '2026-03-01T07:00:00Z');
  await write('client_activated', 1, '2026-03-01T08:00:00Z');
  await write('resent', 1, '2026-03-01T08:00:00Z');
  await write('created', 1, '2026-03-01T08:00:00Z');
  expect(await leased(10)).toEqual(['created']);
  expect(await leased(3, NOW, leaseBulkBatch)).toEqual([
    'client_activated',
    'endpoint_enabled',
    'resent',
  ]);
});

test('the oldest row of a kind goes first, and none that is not due', async () => {
  await write('created', 3, '2026-03-01T08:59:59.998Z');
  await write('updated', 1, '2026-03-01T09:00:01Z');
  expect(await leased(10)).toEqual(['created', 'created']);
  expect(await leased(10, new Date(NOW.getTime() + 1))).toEqual(['created']);
});

test('two relays at once lease each row once', async () => {
  await write('created', 200, '2026-03-01T07:00:00Z');
  await write('routed', 200, '2026-03-01T07:00:00Z');
  const batches = await Promise.all(
    Array.from({ length: 8 }, () => leaseOutboxBatch(open.database, NOW, 40)),
  );
  const ids = batches.flat().map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(40);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a batch reads few pages of 60,000 rows, under the plan that the worker keeps', async () => {
  await write('created', 40_000, '2026-03-01T07:00:00Z');
  await write('routed', 20_000, '2026-03-01T07:00:00Z');
  await open.database.query('analyze lead_outbox');
  let statement = '';
  const stop = open.database.onStatement((text) => (statement = text));
  await leaseOutboxBatch(open.database, NOW, 10);
  stop();
  const plan = await genericPlanOf(open.url, statement, [NOW, 10]);
  expect(plan.pages).toBeLessThan(300);
});
