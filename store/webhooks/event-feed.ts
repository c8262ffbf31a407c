import { eventTypes, type EventType } from '../../domain/webhooks/event-payloads.ts';
import type { Database, Sql } from '../db/database.ts';

const BATCH = 1000;

/**
 * Gives events their positions, at most a batch of them; returns how many are left to do at once.
 *
 * An event gets its position after its transaction has committed, and one transaction at a time gives
 * positions: who reads a position can read all that are lower, and what commits later comes after it. A lead's
 * events are written under its row lock, so that the numbers of the queue keep their order.
 */
export async function positionEvents(database: Database): Promise<number> {
  if ((await database.query('select from event_feed_queue limit 1')).length === 0) return 0;
  return database.transaction(async (sql) => {
    // A statement of its own: the next one sees what the lock's last holder committed.
    await sql.query(`select pg_advisory_xact_lock(hashtext('event_feed'))`);
    const positioned = await sql.queryAndCommit(POSITION_EVENTS_SQL, { limit: BATCH });
    return positioned.length < BATCH ? 0 : BATCH;
  });
}

const POSITION_EVENTS_SQL = `
with taken as (
  delete from event_feed_queue where number in (
    select number from event_feed_queue order by number limit :limit)
  returning number, event_id)
insert into event_feed (client_id, type, event_id)
select e.client_id, e.type, e.id from taken join webhook_events e on e.id = taken.event_id order by taken.number
returning position`;

/** Cursors beside the ids of events: before the first event, and after the last one of now. */
export const FIRST = 'first';
export const LATEST = 'latest';

export interface EventQuery {
  /** The id of the client's row. */
  clientId: string;
  after: string;
  types: readonly EventType[];
  limit: number;
}

interface EventBody {
  type: EventType;
  timestamp: string;
  data: object;
}

/**
 * The events that come after a cursor, of the leads that the client created: what its endpoints get. Null
 * where `after` is no cursor of this client.
 */
export async function readEvents(database: Database, { after, limit, ...wanted }: EventQuery) {
  await positionEvents(database);
  const cursor = await readCursor(database, wanted.clientId, after);
  if (!cursor) return null;
  const rows = await readRows(database, cursor.position, { ...wanted, limit: limit + 1 });
  const data = rows
    .slice(0, limit)
    .map(({ id, body }) => ({ id, ...(JSON.parse(body) as EventBody) }));
  return { data, meta: { next: data.at(-1)?.id ?? cursor.id, hasMore: rows.length > limit } };
}

interface Cursor {
  id: string;
  /** Null: nothing is after it yet. */
  position: number | null;
}

async function readCursor(sql: Sql, clientId: string, after: string): Promise<Cursor | null> {
  if (after === FIRST) return { id: FIRST, position: 0 };
  if (after !== LATEST) return sql.queryOne<Cursor>(CURSOR_SQL, { clientId, after });
  const newest = await sql.queryOne<{ id: string }>(NEWEST_SQL, { clientId, eventTypes });
  return newest ? { id: newest.id, position: null } : { id: FIRST, position: null };
}

const CURSOR_SQL = `
select e.id, f.position from webhook_events e left join event_feed f on f.event_id = e.id
where e.id = :after and e.client_id = :clientId`;

const NEWEST_SQL = `
select newest.event_id as id from unnest(:eventTypes::text[]) wanted (type) cross join lateral (
  select position, event_id from event_feed f where f.client_id = :clientId and f.type = wanted.type
  order by position desc limit 1) newest
order by newest.position desc limit 1`;

async function readRows(
  sql: Sql,
  position: number | null,
  wanted: Omit<EventQuery, 'after'>,
): Promise<{ id: string; body: string }[]> {
  return position === null ? [] : sql.query(EVENTS_SQL, { ...wanted, position });
}

/** One range of the index per type, so that a page costs the same however many events other types and clients have. */
const EVENTS_SQL = `
select e.id, e.body from (
  select found.position, found.event_id from unnest(:types::text[]) wanted (type) cross join lateral (
    select position, event_id from event_feed f
    where f.client_id = :clientId and f.type = wanted.type and f.position > :position
    order by f.position limit :limit) found
  order by found.position limit :limit) page
join webhook_events e on e.id = page.event_id order by page.position`;
