import type { Sql } from '../db/database.ts';

/** An event that a lead's workflow is signalled of; its row is deleted once the signal was sent. */
export interface OutboxRow {
  id: number;
  leadId: string;
  event: string;
}

/** A reminder of a lead that was signalled long ago: it comes after what nobody has signalled yet. */
export const REMINDER = 'recover';

/** How long the writer holds the lease on a row before the relay may take it; a process that has more to do renews it. */
export const OUTBOX_LEASE_MS = 5000;

export async function deleteOutboxRows(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.query(`delete from lead_outbox where id = any (:ids::bigint[])`, { ids });
}

/** Returns the rows that are still the caller's: those that no relay took meanwhile. */
export async function renewOutboxLeases(
  sql: Sql,
  ids: readonly number[],
  until: Date,
): Promise<number[]> {
  const renewed = await sql.query<{ id: number }>(
    `update lead_outbox set next_attempt_at = :until
     where id = any (:ids::bigint[]) and attempts = 0 returning id`,
    { ids, until },
  );
  return renewed.map(({ id }) => id);
}

/**
 * Takes up to `limit` rows that are due and leases them for a growing time, so that a relay that dies with them in hand
 * leaves them to the next one. Rows that another relay takes are skipped. The kinds of events take turns, the oldest
 * row of each first: an update does not wait behind a backlog of new leads, nor behind deliveries that are sent again
 * by the thousand. Reminders come last.
 */
export async function leaseOutboxBatch(sql: Sql, now: Date, limit: number): Promise<OutboxRow[]> {
  return sql.query<OutboxRow>(LEASE_BATCH_SQL, { now, limit });
}

/** Reads `limit` entries of the index per kind of event, however many rows there are. */
const LEASE_BATCH_SQL = `
with recursive kinds as (
  select min(event) as event from lead_outbox
  union all
  select (select min(event) from lead_outbox where event > kinds.event) from kinds where event is not null),
due as (
  select id, next_attempt_at, kinds.event = '${REMINDER}' as is_reminder,
         row_number() over (partition by kinds.event order by next_attempt_at) as turn
  from kinds cross join lateral (
    select id, next_attempt_at from lead_outbox
    where event = kinds.event and next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked) oldest)
update lead_outbox o
set attempts = attempts + 1,
    next_attempt_at = :now::timestamptz + least(60, 5 * (attempts + 1)) * interval '1 second'
where id in (select id from due order by is_reminder, turn, next_attempt_at limit :limit)
returning id, lead_id as "leadId", event`;
