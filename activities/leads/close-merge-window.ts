import type { ActivityContext } from '../context.ts';
import { retryAfter } from '../retry-after.ts';

/**
 * Ends a lead's merge window for good: its phones and e-mails no longer stand for an open lead. Where
 * the worker's clock is behind Temporal's, whose timer said that it is over, it is retried in time.
 */
export function createCloseMergeWindow({ database, now }: ActivityContext) {
  return async ({ leadId }: { leadId: string }): Promise<void> => {
    const at = now();
    const [early] = await database.query<{ endsAt: Date }>(STATEMENT, [leadId, at]);
    if (early) throw notOverYet(early.endsAt.getTime() - at.getTime());
  };
}

const STATEMENT = `
with closed as (
  update leads set merge_window_closed_at = $2::timestamptz
  where id = $1 and merge_window_closed_at is null and merge_window_ends_at <= $2 returning id),
freed as (
  update lead_contact_points h set mergeable = false from closed where h.lead_id = closed.id and h.mergeable)
select merge_window_ends_at as "endsAt" from leads
where id = $1 and merge_window_closed_at is null and merge_window_ends_at > $2`;

function notOverYet(leftMs: number): Error {
  return retryAfter(
    'NotOverYet',
    leftMs,
    `By the clock of the worker the merge window ends in ${leftMs} ms.`,
  );
}
