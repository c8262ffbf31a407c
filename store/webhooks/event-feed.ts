import { eventTypes, type EventType } from '../../domain/webhooks/event-payloads.ts';
import type { Database, Sql } from '../db/database.ts';
import { type NoParams, statement } from '../db/statement.ts';

const BATCH = 1000;

/**
 * Returns how many events remain. Positions follow the commits, one transaction at a time, so that all lower ones are
 * readable. A lead's row lock keeps its events in order.
 */
export async function positionEvents(database: Database): Promise<number> {
  if (!(await database.first(PEEK_FEED_QUEUE, {}))) return 0;
  return database.transaction(async (sql) => {
    // A separate statement: the next one sees what the previous owner of the lock committed.
    await sql.all(LOCK_EVENT_FEED, {});
    const positioned = await sql.allAndCommit(POSITION_EVENTS, { limit: BATCH });
    return positioned.length < BATCH ? 0 : BATCH;
  });
}

const PEEK_FEED_QUEUE = statement<NoParams, { number: number }>('peek_feed_queue')`
select number from event_feed_queue limit 1`;

const LOCK_EVENT_FEED = statement<NoParams, { locked: boolean }>('lock_event_feed')`
select pg_advisory_xact_lock(hashtext('event_feed')) is null as locked`;

const POSITION_EVENTS = statement<{ limit: number }, { position: number }>('position_events')`
with taken as (
  delete from event_feed_queue where number in (
 select number from event_feed_queue order by number limit :limit)
  returning number, event_id)
insert into event_feed (client_id, type, event_id, at, integration_ref)
select e.client_id, e.type, e.id,
  greatest(max(e.created_at) over (order by taken.number), (select at from event_feed order by position desc limit 1)),
  e.body::json #>> '{data,integrationRef}'
from taken join webhook_events e on e.id = taken.event_id order by taken.number
returning position`;

/** Cursors before the first event and after the present last event. */
export const FIRST = 'first';
export const LATEST = 'latest';

export interface EventQuery {
  /** The id of the row. */
  clientId: string;
  /** Default: the end that is read first. */
  after?: string | undefined;
  types: readonly EventType[];
  limit: number;
  order?: 'asc' | 'desc';
  since?: Date | undefined;
  integrationRef?: string | undefined;
}

interface EventBody {
  type: EventType;
  timestamp: string;
  data: object;
}

/** Null: `after` is not a cursor of this client; `gone`: events after it were removed. */
export async function readEvents(database: Database, query: EventQuery) {
  const { clientId, after, limit, order, since } = query;
  // All of them: a client that misses an event of an enquiry sends it again.
  while ((await positionEvents(database)) > 0);
  const isNewestFirst = order === 'desc';
  // Without data the client gets this cursor, so it is read before the page.
  const start = isNewestFirst || since ? LATEST : FIRST;
  const cursor = await readCursor(database, clientId, after ?? start);
  if (!cursor) return (await mayHaveBeenRemoved(database, clientId, after)) ? 'gone' : null;
  const oldest = since && (await database.first(FIND_FIRST_SINCE, { since }));
  const from = oldest ? oldest.position - 1 : since ? END : 0;
  const at = after === undefined && !isNewestFirst ? 0 : cursor.position;
  const range = isNewestFirst
    ? { above: from, below: at }
    : { above: Math.max(at, from), below: END };
  const rows = await readRows(database, query, range);
  // After the events, so that a concurrent removal counts as missing.
  if (at > 0 && !isNewestFirst && at < (await readHorizon(database, clientId, query.types)))
    return 'gone';
  const data = rows
    .slice(0, limit)
    .map(({ id, body }) => ({ id, ...(JSON.parse(body) as EventBody) }));
  return { data, meta: { next: data.at(-1)?.id ?? cursor.id, hasMore: rows.length > limit } };
}

const END = Number.MAX_SAFE_INTEGER;

const EVENT_ID = /^evt_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An unknown `after` in the form of an id may be of a removed event. */
async function mayHaveBeenRemoved(sql: Sql, clientId: string, after: string | undefined) {
  if (after === undefined || !EVENT_ID.test(after)) return false;
  return (await readHorizon(sql, clientId, eventTypes)) > 0;
}

async function readHorizon(sql: Sql, clientId: string, types: readonly EventType[]) {
  return (await sql.first(READ_HORIZON, { clientId, types }))?.position ?? 0;
}

const READ_HORIZON = statement<
  { clientId: string; types: readonly EventType[] },
  { position: number }
>('read_horizon')`
select coalesce(max(position), 0) as position from event_feed_horizons
where client_id = :clientId and type = any (:types::text[])`;

interface Cursor {
  id: string;
  /** `END` for an event without a position. */
  position: number;
}

async function readCursor(sql: Sql, clientId: string, after: string): Promise<Cursor | null> {
  if (after === FIRST) return { id: FIRST, position: 0 };
  if (after !== LATEST) return sql.first(READ_CURSOR, { clientId, after, end: END });
  const newest = await sql.first(FIND_NEWEST, { clientId, eventTypes });
  return { id: newest?.id ?? FIRST, position: END };
}

/** If false for an event outside the feed, it has no position yet. */
export const WAS_IN_FEED = `exists (
  select from event_feed_horizons h where h.client_id = e.client_id and h.type = e.type and h.at >= e.created_at)`;

/** An event that only has deliveries is no longer a cursor. */
const READ_CURSOR = statement<{ clientId: string; after: string; end: number }, Cursor>(
  'read_cursor',
)`
select e.id, coalesce(f.position, :end) as position from webhook_events e left join event_feed f on f.event_id = e.id
where e.id = :after and e.client_id = :clientId and (f.position is not null or not ${WAS_IN_FEED})`;

const FIND_NEWEST = statement<
  { clientId: string; eventTypes: readonly EventType[] },
  { id: string }
>('find_newest')`
select newest.event_id as id from unnest(:eventTypes::text[]) wanted (type) cross join lateral (
  select position, event_id from event_feed f
  where (f.client_id, f.type) >= (:clientId, wanted.type) and (f.client_id, f.type) <= (:clientId, wanted.type)
  order by f.client_id desc, f.type desc, f.position desc limit 1) newest
order by newest.position desc limit 1`;

/** `at` never decreases with the position. */
const FIND_FIRST_SINCE = statement<{ since: Date }, { position: number }>('find_first_since')`
select position from event_feed where at >= :since order by at, position limit 1`;

/** Excludes `above` and `below`; one event more than the limit. */
function readRows(sql: Sql, query: EventQuery, range: Record<'above' | 'below', number>) {
  const { order = 'asc', integrationRef } = query;
  const page = { ...query, limit: query.limit + 1, ...range };
  if (integrationRef === undefined) return sql.all(READ_EVENTS[order], page);
  return sql.all(READ_EVENTS_OF_REFERENCE[order], { ...page, integrationRef });
}

type EventPage = Pick<EventQuery, 'clientId' | 'types' | 'limit'> &
  Record<'above' | 'below', number>;

interface EventRow {
  id: string;
  body: string;
}

/**
 * One index range per type, so that other types and clients do not add cost. Rows are compared, because for equal columns
 * Postgres may use the primary key and read all events.
 */
const eventsSql = (order: 'asc' | 'desc', range: string, columns: readonly string[]) => `
select e.id, e.body from (
  select found.position, found.event_id from unnest(:types::text[]) wanted (type) cross join lateral (
    select position, event_id from event_feed f where ${range}
    order by ${columns.map((column) => `f.${column} ${order}`).join()} limit :limit) found
  order by found.position ${order} limit :limit) page
join webhook_events e on e.id = page.event_id order by page.position ${order}`;

const OF_TYPE = `(f.client_id, f.type, f.position) > (:clientId, wanted.type, :above)
  and (f.client_id, f.type, f.position) < (:clientId, wanted.type, :below)`;
const OF_REFERENCE = `f.integration_ref is not null
  and (f.client_id, f.integration_ref, f.type, f.position) > (:clientId, :integrationRef, wanted.type, :above)
  and (f.client_id, f.integration_ref, f.type, f.position) < (:clientId, :integrationRef, wanted.type, :below)`;

const readEventsIn = (order: 'asc' | 'desc') =>
  statement<EventPage, EventRow>(
    `read_events_${order}`,
  )`${eventsSql(order, OF_TYPE, ['client_id', 'type', 'position'])}`;
const READ_EVENTS = { asc: readEventsIn('asc'), desc: readEventsIn('desc') };

const readEventsOfReferenceIn = (order: 'asc' | 'desc') =>
  statement<EventPage & { integrationRef: string }, EventRow>(
    `read_events_of_reference_${order}`,
  )`${eventsSql(order, OF_REFERENCE, ['client_id', 'integration_ref', 'type', 'position'])}`;
const READ_EVENTS_OF_REFERENCE = {
  asc: readEventsOfReferenceIn('asc'),
  desc: readEventsOfReferenceIn('desc'),
};
