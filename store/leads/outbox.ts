import type { Sql } from '../db/database.ts';

/** An event that a lead's workflow is signalled of; its row is deleted once the signal was sent. */
export interface OutboxRow {
  id: number;
  leadId: string;
  event: string;
}

/** A reminder of a lead that was signalled long ago: it comes after what nobody has signalled yet. */
export const REMINDER = 'recover';

/** For so long a row is its writer's to signal; a process that has more to do renews the lease. */
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
 * Takes up to `limit` rows that are due, reminders only where there is nothing else, and leases them for a growing time, so that a relay that dies with
 * them in hand leaves them to the next one. Rows that another relay takes are skipped.
 */
export async function leaseOutboxBatch(sql: Sql, now: Date, limit: number): Promise<OutboxRow[]> {
  return sql.query<OutboxRow>(
    `with signals as (
       select id from lead_outbox where next_attempt_at <= :now and event <> '${REMINDER}' order by next_attempt_at
       limit :limit for update skip locked),
     reminders as (
       select id from lead_outbox where next_attempt_at <= :now and event = '${REMINDER}' order by next_attempt_at
       limit :limit - (select count(*) from signals) for update skip locked)
     update lead_outbox o
     set attempts = attempts + 1,
         next_attempt_at = :now::timestamptz + least(60, 5 * (attempts + 1)) * interval '1 second'
     where id in (select id from signals union all select id from reminders)
     returning id, lead_id as "leadId", event`,
    { now, limit },
  );
}
