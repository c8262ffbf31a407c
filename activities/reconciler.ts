import type { ActivityContext } from './context.ts';

/**
 * Finds leads whose workflow should have done something by now, whatever the outbox says: pending too
 * long, a clock or a merge window that ran out, a delivery that no one carries. Each gets an outbox row,
 * so that a Temporal that lost its own store is told everything again; none is reminded again before the
 * same time has passed, so that reminders add little to a backlog. Returns how many there were.
 */
export async function reconcile({ config, database, now }: ActivityContext): Promise<number> {
  const at = now();
  const overdue = new Date(at.getTime() - config.reconcileAfterMs);
  const found = await database.query(STATEMENT, [at, overdue]);
  return found.length;
}

const STATEMENT = `
with stalled as (
  select event_id, endpoint_id, lead_id from webhook_deliveries
  where status = 'pending' and coalesce(next_attempt_at, created_at) <= $2
    and (started_at is null or started_at <= $2)),
overdue as (
  select id from leads where assignment_status = 'pending' and updated_at <= $2
  union select id from leads where follow_up_due_at <= $2
  union select id from leads where merge_window_closed_at is null and not is_portal and merge_window_ends_at <= $2
  union select lead_id from stalled),
reminded as (
  update leads set reminded_at = $1 where id in (
    select l.id from overdue join leads l using (id)
    where (l.reminded_at is null or l.reminded_at <= $2)
      and not exists (select from lead_outbox o where o.lead_id = l.id)
    limit 500 for no key update of l skip locked)
  returning id),
freed as (
  update webhook_deliveries d set started_at = null from stalled s join reminded on reminded.id = s.lead_id
  where d.event_id = s.event_id and d.endpoint_id = s.endpoint_id and d.started_at <= $2)
insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
select id, 'recover', $1, $1 from reminded
returning id`;
