import type { ActivityContext } from './context.ts';

/**
 * Finds leads whose workflow should have done something by now, whatever the outbox says: pending too
 * long, a clock or a merge window that ran out, a delivery that no one carries. Each gets an outbox row,
 * so that a Temporal that lost its own store is told everything again. Returns how many there were.
 */
export async function reconcile({ config, database, now }: ActivityContext): Promise<number> {
  const at = now();
  const overdue = new Date(at.getTime() - config.reconcileAfterMs);
  const found = await database.query(STATEMENT, [at, overdue]);
  return found.length;
}

const STATEMENT = `
with stalled as (
  update webhook_deliveries set started_at = null
  where status = 'pending' and coalesce(next_attempt_at, created_at) <= $2
    and (started_at is null or started_at <= $2)
  returning lead_id),
overdue as (
  select id from leads where assignment_status = 'pending' and updated_at <= $2
  union select id from leads where follow_up_due_at <= $2
  union select id from leads where merge_window_closed_at is null and not is_portal and merge_window_ends_at <= $2
  union select lead_id from stalled)
insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
select id, 'recover', $1, $1 from overdue
where not exists (select from lead_outbox o where o.lead_id = overdue.id)
limit 500
returning id`;
