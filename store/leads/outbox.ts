import type { Sql } from '../database.ts';

/** The outbox: a lead's workflow has something to hear. A row goes once it was told. */
export interface OutboxRow {
  id: number;
  leadId: string;
  event: string;
}

export async function forgetOutboxRows(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.query(`delete from lead_outbox where id = any ($1::bigint[])`, [ids]);
}

/**
 * Takes up to `limit` rows that are due and puts them off by a growing delay, so that a relay that dies
 * with them in hand leaves them to the next one. Rows that another relay takes are skipped.
 */
export async function leaseOutboxRows(sql: Sql, now: Date, limit: number): Promise<OutboxRow[]> {
  return sql.query<OutboxRow & Record<string, unknown>>(
    `update lead_outbox o
     set attempts = attempts + 1,
         next_attempt_at = $1::timestamptz + least(60, 5 * (attempts + 1)) * interval '1 second'
     where id in (
       select id from lead_outbox where next_attempt_at <= $1 order by next_attempt_at
       limit $2 for update skip locked)
     returning id, lead_id as "leadId", event`,
    [now, limit],
  );
}
