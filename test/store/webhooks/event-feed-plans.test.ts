import { randomUUID } from 'node:crypto';
import { eventTypes, type EventType } from '../../../domain/webhooks/event-payloads.ts';
import { FIRST, LATEST, readEvents, type EventQuery } from '../../../store/webhooks/event-feed.ts';
import { genericPlanOf } from '../../support/explaining.ts';
import { openDatabase } from '../catalogue/open.ts';

/** The first statistics are those of the first hundred events, of one type and one client. */
const SIZES = [10_000, 200_000];
const EPOCH = new Date('2026-09-20T08:00:00Z');
const at = (event: number) => new Date(EPOCH.getTime() + event * 1000);
const [LARGE, SMALL] = [randomUUID(), randomUUID()];

let size = 0;

const open = await openDatabase('adminUrl');
for (const name of ['webhook_events', 'event_feed', 'event_feed_queue'])
  await open.database.query(`alter table ${name} set (autovacuum_enabled = false)`);
await grow(100);
await open.database.query('analyze');
afterAll(() => open.close());

/** Nine of the first 10,000 are a small client's, and one of the large client's left a lead in a pool. */
async function grow(to: number): Promise<void> {
  await open.database.transaction(async (sql) => {
    await sql.query(`set local session_replication_role = replica`);
    await sql.query(
      `with made as (
         insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
         select 'evt_' || n, gen_random_uuid(), case when n % 1000 = 7 and n between 101 and 10000 then $1 else $2 end::uuid,
           case when n % 5000 = 9 and n between 101 and 10000 then 'lead.pooled' when n % 2 = 0 or n <= 100 then 'lead.created' else 'lead.assigned' end,
           1, '{"data":{}}', $5::timestamptz + n * interval '1 second'
         from generate_series($3::int, $4::int) n returning *)
       insert into event_feed (client_id, type, event_id, at, integration_ref)
       select client_id, type, id, created_at, case when substr(id, 5)::int % 2500 = 9 then 'rare' else 'often' end
       from made order by substr(id, 5)::int`,
      [SMALL, LARGE, size + 1, to, EPOCH],
    );
  });
  size = to;
}

type Read = Omit<EventQuery, 'limit'>;

/** The pages that all statements of a read touch. */
async function pagesOf(read: Read, limit = 100): Promise<number> {
  const statements: [text: string, values: readonly unknown[]][] = [];
  const stop = open.database.onStatement((...statement) => statements.push(statement));
  expect(await readEvents(open.database, { ...read, limit })).not.toBeNull();
  stop();
  let pages = 0;
  for (const [text, values] of statements) {
    const plan = await genericPlanOf(open.url, text, values);
    expect(plan.steps.filter((step) => step.startsWith('Seq Scan'))).toEqual([]);
    pages += plan.pages;
  }
  return pages;
}

const both: EventType[] = ['lead.created', 'lead.assigned'];
const reads: [string, Read][] = [
  ['the first page', { clientId: LARGE, after: FIRST, types: both }],
  ['a page in the middle', { clientId: LARGE, after: 'evt_5000', types: both }],
  ['a page of all types', { clientId: LARGE, after: 'evt_100', types: eventTypes }],
  ['a type that is rare', { clientId: LARGE, after: FIRST, types: ['lead.pooled'] }],
  ['a type that there is none of', { clientId: LARGE, after: FIRST, types: ['lead.responded'] }],
  ['a client with few events', { clientId: SMALL, after: FIRST, types: both }],
  ['a cursor for now', { clientId: LARGE, after: LATEST, types: both }],
  ['newest first', { clientId: LARGE, types: both, order: 'desc' }],
  ['newest first, of few events', { clientId: SMALL, types: both, order: 'desc' }],
  ['since a time', { clientId: LARGE, types: both, since: at(5000) }],
  [
    'since a time before the events of another client',
    { clientId: SMALL, types: both, since: at(100) },
  ],
  ['since a time, newest first', { clientId: LARGE, types: both, since: at(50), order: 'desc' }],
  ['a reference of all leads', { clientId: LARGE, types: both, integrationRef: 'often' }],
  ['a reference of few leads', { clientId: LARGE, types: ['lead.pooled'], integrationRef: 'rare' }],
  [
    'a reference since a time, newest first',
    { clientId: LARGE, types: both, integrationRef: 'often', since: at(50), order: 'desc' },
  ],
  [
    'a reference of no lead',
    { clientId: LARGE, types: both, integrationRef: 'none', order: 'desc' },
  ],
];

test('a page costs the same at 200,000 events as at 10,000, with the statistics of an empty table and of a full one', async () => {
  const costs: Record<string, number>[] = [];
  const measure = async () => {
    const cost: Record<string, number> = {};
    for (const [name, read] of reads) cost[name] = await pagesOf(read);
    costs.push(cost);
  };
  for (const each of SIZES) {
    await grow(each);
    await measure();
  }
  await open.database.query('analyze');
  await measure();
  const [before, ...after] = costs;
  for (const [name] of reads) {
    const [small = 0, ...large] = [before, ...after].map((cost) => cost?.[name] ?? Infinity);
    // A level more of each index.
    expect(`${name}: ${large.every((pages) => pages <= small * 1.5 + 10)}`).toBe(`${name}: true`);
  }
});
