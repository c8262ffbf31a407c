import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../store/db/database.ts';
import { eventTypes } from '../../../domain/webhooks/event-payloads.ts';
import { positionEvents, readEvents } from '../../../store/webhooks/event-feed.ts';
import { openDatabase } from '../catalogue/open.ts';

let clientId: string;
const open = await openDatabase();
const { database } = open;
afterAll(() => open.close());
beforeEach(async () => {
  clientId = await makeClient();
});

async function makeClient(): Promise<string> {
  const id = randomUUID();
  await database.query(
    `insert into oauth_clients (id, client_id, name, secret_hash, created_at) values ($1::uuid, $1::uuid::text, 'Shop', '', now())`,
    [id],
  );
  return id;
}

async function makeLead(): Promise<string> {
  const id = randomUUID();
  await database.query(
    `with contact as (insert into contacts (id, created_at) values ($1, now()))
     insert into leads (id, contact_id, client_id, created_at, updated_at, funnel_id, merge_window_ends_at, assignment_status)
     values ($1, $1, $2, now(), now(), (select id from funnels limit 1), now(), 'unassigned')`,
    [id, clientId],
  );
  return id;
}

/** The next event of a lead, under its row lock, as every writer of the service holds it. */
async function writeEvent(sql: Sql, leadId: string): Promise<string> {
  await sql.query(`select from leads where id = $1 for no key update`, [leadId]);
  const id = `evt_${randomUUID()}`;
  await sql.query(
    `insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
     select $1, $2::uuid, $3, 'lead.created', count(*) + 1, '{}', now() from webhook_events where lead_id = $2::uuid`,
    [id, leadId, clientId],
  );
  return id;
}

/** A transaction that wrote an event and stays open until `commit`. */
async function writeAndHold(leadId: string) {
  const gate = Promise.withResolvers<null>();
  const written = Promise.withResolvers<string>();
  const done = database.transaction(async (sql) => {
    written.resolve(await writeEvent(sql, leadId));
    await gate.promise;
  });
  const id = await written.promise;
  return {
    id,
    commit: () => {
      gate.resolve(null);
      return done;
    },
    rollBack: () => {
      gate.reject(new Error('by the test'));
      return done.catch(() => null);
    },
  };
}

const read = (after: string, limit = 500) =>
  readEvents(database, { clientId, after, types: eventTypes, limit });

async function readPage(after: string, limit?: number) {
  const page = await read(after, limit);
  if (!page || page === 'gone') throw new Error(`${after} is no cursor.`);
  return { ids: page.data.map(({ id }) => id), ...page.meta };
}

describe('an event whose transaction is open', () => {
  test('hides no event that was committed before it, and comes after them', async () => {
    const early = await writeAndHold(await makeLead());
    const late = await writeEvent(database, await makeLead());
    const first = await readPage('first');
    expect(first.ids).toEqual([late]);
    await early.commit();
    expect((await readPage(first.next)).ids).toEqual([early.id]);
    expect((await readPage('first')).ids).toEqual([late, early.id]);
  });

  test('is found by a cursor for the now in which it was open', async () => {
    const held = await writeAndHold(await makeLead());
    const { next } = await readPage('latest');
    await held.commit();
    expect((await readPage(next)).ids).toEqual([held.id]);
  });

  test('is never read where the transaction is rolled back', async () => {
    const held = await writeAndHold(await makeLead());
    expect((await readPage('first')).ids).toEqual([]);
    await held.rollBack();
    expect((await readPage('first')).ids).toEqual([]);
  });

  test('holds nothing back for as long as the transaction of another table is open', async () => {
    const gate = Promise.withResolvers<null>();
    const began = Promise.withResolvers<null>();
    const long = database.transaction(async (sql) => {
      await sql.query(`select pg_current_xact_id()`);
      began.resolve(null);
      await gate.promise;
    });
    await began.promise;
    const id = await writeEvent(database, await makeLead());
    expect((await readPage('first')).ids).toEqual([id]);
    gate.resolve(null);
    await long;
  });
});

test('many writers and readers at once: each reader has each event once, and those of a lead in their order', async () => {
  const leads = await Promise.all(Array.from({ length: 4 }, makeLead));
  const written: string[] = [];
  let isDone = false;
  const writers = leads.flatMap((leadId, lane) =>
    [0, 1].map(async () => {
      for (let count = 0; count < 15; count += 1)
        await database.transaction(async (sql) => {
          written.push(await writeEvent(sql, leadId));
          await sql.query(`select pg_sleep($1)`, [((lane * count) % 4) / 500]);
        });
    }),
  );
  const readers = [1, 7, 500].map(async (limit) => {
    const seen: string[] = [];
    for (let next = 'first', isLast = false; ;) {
      const page = await readPage(next, limit);
      seen.push(...page.ids);
      next = page.next;
      if (isLast && !page.hasMore) return seen;
      isLast = isDone;
    }
  });
  await Promise.all(writers);
  isDone = true;
  for (const seen of await Promise.all(readers)) {
    expect(seen.toSorted()).toEqual(written.toSorted());
    const sequences = await database.query<{ lead: string; sequences: number[] }>(
      `select lead_id as lead, array_agg(sequence order by at) as sequences
       from webhook_events join unnest($1::text[]) with ordinality seen (id, at) using (id) group by 1`,
      [seen],
    );
    for (const each of sequences)
      expect(each.sequences).toEqual(Array.from({ length: 30 }, (_none, index) => index + 1));
  }
});

describe('a queue of more than a batch', () => {
  const writeMany = (leadId: string) =>
    database.query(
      `insert into webhook_events (id, lead_id, client_id, type, sequence, body, created_at)
       select 'evt_' || $1::uuid || n, $1::uuid, $2, 'lead.created', n, '{}', now() from generate_series(1, 2500) n`,
      [leadId, clientId],
    );

  test('is positioned a batch at a time, in the order of its numbers', async () => {
    const leadId = await makeLead();
    await writeMany(leadId);
    const left = [];
    while (left.length < 4) left.push(await positionEvents(database));
    expect(left).toEqual([1000, 1000, 0, 0]);
    const { ids } = await readPage('first');
    expect(ids).toEqual(Array.from({ length: 500 }, (_none, index) => `evt_${leadId}${index + 1}`));
    expect(await database.query('select from event_feed_queue')).toEqual([]);
  });

  test('is emptied before a reader looks, so that it finds what was written last', async () => {
    await writeMany(await makeLead());
    const id = await writeEvent(database, await makeLead());
    const newest = { clientId, types: eventTypes, limit: 1, order: 'desc' } as const;
    expect(await readEvents(database, newest)).toMatchObject({ data: [{ id }] });
    expect(await readPage(id)).toEqual({ ids: [], next: id, hasMore: false });
    const later = await writeEvent(database, await makeLead());
    expect((await readPage(id)).ids).toEqual([later]);
  });
});
