import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { waitUntil } from '../../../dev/wait-until.ts';
import { connectOrm } from '../../../store/db/orm.ts';
import { asAdmin, createTestDatabase, type TestDatabase } from '../../support/database.ts';

let own: TestDatabase;
let [reader, writer]: pg.Client[] = [];
beforeAll(async () => {
  own = await createTestDatabase();
  [reader, writer] = [0, 1].map(() => new pg.Client({ connectionString: own.adminUrl }));
  await Promise.all([reader?.connect(), writer?.connect()]);
});
afterAll(async () => {
  await Promise.all([reader?.end(), writer?.end()]);
  await own?.drop();
});

const leadId = randomUUID();
const startedAt = new Date();

async function write(sequence: number): Promise<void> {
  await writer?.query(
    `insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
     select 'evt_' || $2::int, id, client_id, 'lead.created', $2, '{}', $3::timestamptz + $2 * interval '1 second'
     from leads where id = $1`,
    [leadId, sequence, startedAt],
  );
}

async function rowsOf(text: string): Promise<string[]> {
  const { rows } = (await reader?.query<{ id: string }>(text)) ?? { rows: [] };
  return rows.map(({ id }) => id);
}

test('events of before have positions in their order; one that is committed while they get them is not lost', async () => {
  await asAdmin(
    own.url,
    `drop trigger webhook_events_queue on webhook_events`,
    `drop function queue_events`,
    `drop table event_feed, event_feed_queue`,
    `delete from mikro_orm_migrations where name = '0010-event-feed'`,
  );
  const client = `insert into oauth_clients (id, client_id, name, secret_hash, created_at) values ($1, 'shop', 'Shop', '', now())`;
  await writer?.query(client, [leadId]);
  await writer?.query(`insert into contacts (id, created_at) values ($1, now())`, [leadId]);
  await writer?.query(
    `insert into leads (id, contact_id, client_id, created_at, updated_at, funnel_id, merge_window_ends_at, assignment_status)
     values ($1, $1, $1, now(), now(), (select id from funnels limit 1), now(), 'unassigned')`,
    [leadId],
  );
  for (const sequence of [2, 1, 3]) await write(sequence);
  await writer?.query('begin');
  await write(4);

  const orm = await connectOrm({ url: own.adminUrl, poolSize: 1, lockTimeoutMs: 60_000 });
  const migrated = orm.migrator.up().finally(() => orm.close(true));
  const waiting = `select l.pid::text as id from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and relation = 'webhook_events'::regclass and not granted`;
  await waitUntil(async () => expect(await rowsOf(waiting)).toHaveLength(1), {
    what: 'A migration that waits for the writer',
    everyMs: 10,
  });
  await writer?.query('commit');
  expect((await migrated).map(({ name }) => name)).toEqual(['0010-event-feed']);
  expect(await rowsOf(`select event_id as id from event_feed order by position`)).toEqual([
    'evt_1',
    'evt_2',
    'evt_3',
    'evt_4',
  ]);

  // A process of the version before knows no queue.
  await write(5);
  expect(await rowsOf(`select event_id as id from event_feed_queue`)).toEqual(['evt_5']);
});
