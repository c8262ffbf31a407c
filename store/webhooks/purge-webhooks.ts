import { BATCH, inPages, type AfterBatch } from '../db/delete-in-batches.ts';
import type { Database, Sql } from '../db/database.ts';
import { WAS_IN_FEED } from './event-feed.ts';

/**
 * Removes delivered deliveries that ended before a time, with their attempts, and the attempts of those that failed before
 * it. What is due, held or failed stays, and so does the newest delivery of each endpoint: by it the endpoint's own
 * events find a lead.
 */
export async function purgeDeliveries(
  database: Database,
  before: Date,
  afterBatch: AfterBatch,
): Promise<{ deliveries: number; attempts: number }> {
  const removed = { deliveries: 0, attempts: 0 };
  const endpoints = await database.query<{ id: string }>('select id from webhook_endpoints');
  for (const { id: endpointId } of endpoints)
    await inPages(
      { afterAt: new Date(0), afterId: '' },
      (place) =>
        database.transaction(async (sql) => {
          const page = await sql.queryOne<DeliveryPage>(DELIVERIES_SQL, {
            endpointId,
            before,
            ...place,
          });
          if (!page) return null;
          const { eventIds, attempts, next } = page;
          if (eventIds.length > 0) await sql.query(EVENTS_OUTSIDE_FEED_SQL, { eventIds });
          removed.deliveries += eventIds.length;
          removed.attempts += attempts;
          return next;
        }),
      afterBatch,
    );
  return removed;
}

interface DeliveryPage {
  /** The events of the deliveries that were removed. */
  eventIds: string[];
  attempts: number;
  next: object;
}

/** Newest and next page are found by the index on endpoint and time. */
const DELIVERIES_SQL = `
with page as materialized (
  select event_id, endpoint_id, created_at from webhook_deliveries
  where endpoint_id = :endpointId and created_at < :before and created_at >= :afterAt
    and (created_at, event_id) > (:afterAt, :afterId)
  order by created_at, event_id limit ${BATCH}),
ended as materialized (
  select d.event_id, d.endpoint_id, d.status = 'delivered' and d.created_at < (
      select max(created_at) from webhook_deliveries where endpoint_id = :endpointId) as is_removed
  from page join webhook_deliveries d on (d.event_id, d.endpoint_id) = (page.event_id, page.endpoint_id)
  where d.status in ('delivered', 'failed') and d.finished_at < :before
  for update of d skip locked),
attempts as (
  delete from webhook_attempts a using ended e
  where (a.event_id, a.endpoint_id) = (e.event_id, e.endpoint_id) returning 1),
deliveries as (
  delete from webhook_deliveries d using ended e
  where e.is_removed and (d.event_id, d.endpoint_id) = (e.event_id, e.endpoint_id) returning d.event_id)
select (select coalesce(array_agg(event_id), '{}') from deliveries) as "eventIds",
  (select count(*)::int from attempts) as attempts, jsonb_build_object('afterAt', created_at, 'afterId', event_id) as next
from page order by created_at desc, event_id desc limit 1`;

/** Where the feed has them no longer, the last delivery takes its event along. */
const EVENTS_OUTSIDE_FEED_SQL = `
delete from webhook_events e where e.id = any (:eventIds::text[])
  and not exists (select from event_feed where event_id = e.id)
  and ${WAS_IN_FEED}
  and not exists (select from webhook_deliveries where event_id = e.id)`;

/**
 * Removes events of before a time from the feed, and altogether where no delivery is left of them. One that an endpoint has not
 * got yet stays, and so does the newest of each client and type, so that a reader who has read all keeps its cursor.
 */
export async function purgeEvents(sql: Sql, before: Date, afterBatch: AfterBatch): Promise<number> {
  let removed = 0;
  await inPages(
    { afterAt: new Date(0), afterPosition: 0 },
    async (place) => {
      const page = await sql.queryOne<EventPage>(EVENTS_SQL, { before, ...place });
      removed += page?.events ?? 0;
      return page && page.next;
    },
    afterBatch,
  );
  return removed;
}

interface EventPage {
  events: number;
  next: object;
}

/**
 * The horizon rises in the same statement: a reader that misses an event sees it, if it looks after it has read. The newest
 * event of a type is found by a comparison of rows, as in `event-feed.ts`: else Postgres may look for it by the primary key.
 */
const EVENTS_SQL = `
with page as materialized (
  select position, client_id, type, event_id, at from event_feed
  where at < :before and at >= :afterAt and (at, position) > (:afterAt, :afterPosition)
  order by at, position limit ${BATCH}),
read as materialized (
  select f.position from page join event_feed f on f.position = page.position
  where page.position < (
      select position from event_feed n where (n.client_id, n.type) >= (page.client_id, page.type)
        and (n.client_id, n.type) <= (page.client_id, page.type)
      order by n.client_id desc, n.type desc, n.position desc limit 1)
    and not exists (select from webhook_deliveries d where d.event_id = page.event_id and d.status <> 'delivered')
  for update of f skip locked),
entries as (
  delete from event_feed f using read where f.position = read.position
  returning f.position, f.client_id, f.type, f.event_id, f.at),
horizons as (
  insert into event_feed_horizons as h (client_id, type, position, at)
  select client_id, type, max(position), max(at) from entries group by client_id, type order by client_id, type
  on conflict (client_id, type) do update set position = greatest(h.position, excluded.position),
    at = greatest(h.at, excluded.at)),
events as (
  delete from webhook_events e using entries
  where e.id = entries.event_id and not exists (select from webhook_deliveries where event_id = e.id))
select (select count(*)::int from entries) as events, jsonb_build_object('afterAt', at, 'afterPosition', position) as next
from page order by at desc, position desc limit 1`;
