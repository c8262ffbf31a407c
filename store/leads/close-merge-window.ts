import type { Sql } from '../db/database.ts';

/**
 * Ends a lead's merge window for good: its phones and e-mails no longer stand for an open lead. Returns
 * the end of a window that is not over at `now`.
 */
export async function closeMergeWindow(sql: Sql, leadId: string, now: Date): Promise<Date | null> {
  const [open] = await sql.query<{ endsAt: Date }>(CLOSE_MERGE_WINDOW_SQL, { leadId, now });
  return open?.endsAt ?? null;
}

const CLOSE_MERGE_WINDOW_SQL = `
with closed as (
  update leads set merge_window_closed_at = :now::timestamptz
  where id = :leadId and merge_window_closed_at is null and merge_window_ends_at <= :now returning id),
freed as (
  update lead_contact_points h set mergeable = false from closed where h.lead_id = closed.id and h.mergeable)
select merge_window_ends_at as "endsAt" from leads
where id = :leadId and merge_window_closed_at is null and merge_window_ends_at > :now`;
