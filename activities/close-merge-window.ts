import type { ActivityContext } from './context.ts';

/**
 * Ends a lead's merge window for good: its phones and e-mails no longer stand for an open lead. A window
 * that is not over yet stays open.
 */
export function createCloseMergeWindow({ database, now }: ActivityContext) {
  return async ({ leadId }: { leadId: string }): Promise<void> => {
    await database.query(
      `with closed as (
         update leads set merge_window_closed_at = $2::timestamptz
         where id = $1 and merge_window_closed_at is null and merge_window_ends_at <= $2 returning id)
       update lead_handles h set mergeable = false from closed where h.lead_id = closed.id and h.mergeable`,
      [leadId, now()],
    );
  };
}
