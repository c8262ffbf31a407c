import type { ActivityContext } from '../activities/context.ts';

/**
 * Finds leads whose workflow should have done something by now, whatever the outbox says: pending too
 * long, a clock or a merge window that ran out, a delivery that is overdue. Each gets an outbox row,
 * so that a Temporal that lost its own store is told everything again. None is reminded again before the
 * same time has passed, and the longer it is overdue the later: in a backlog of many thousands the
 * reminders would otherwise take what Temporal has to work it off. Returns how many there were.
 */
export async function reconcile({ config, database, now }: ActivityContext): Promise<number> {
  const at = now();
  const overdue = new Date(at.getTime() - config.reconcileAfterMs);
  const found = await database.query(STATEMENT, [at, overdue]);
  return found.length;
}

const BATCH = 500;
/** Between two reminders of a lead, as a multiple of the time after which it counts as overdue. */
const LONGEST_PAUSE = 15;

/** Reminded of lately or about to be told, a lead is in good hands. */
const FORGOTTEN = `(l.reminded_at is null or l.reminded_at <= $2)
  and not exists (select from lead_outbox o where o.lead_id = l.id)`;

const isItsTurn = (since: string) => `(l.reminded_at is null or l.reminded_at
  + least((l.reminded_at - ${since}) / 2, ${LONGEST_PAUSE} * ($1::timestamptz - $2::timestamptz)) <= $1)`;

const DELIVERY_DUE = 'coalesce(d.next_attempt_at, d.created_at)';
const STALLED = `d.status = 'pending' and ${DELIVERY_DUE} <= $2`;

/** In the order of the index on what is open, with a limit: so no plan reads the leads that are over. */
const late = (since: string, isOpen: string) => `
  (select l.id from leads l where ${isOpen} and ${since} <= $2 and ${FORGOTTEN} and ${isItsTurn(since)}
   order by ${since} limit ${BATCH})`;

const STATEMENT = `
with overdue as (
  ${late('l.updated_at', `l.assignment_status = 'pending'`)}
  union ${late('l.follow_up_due_at', 'l.follow_up_due_at is not null')}
  union ${late('l.merge_window_ends_at', 'l.merge_window_closed_at is null and not l.is_portal')}
  union (
    select l.id from webhook_deliveries d join leads l on l.id = d.lead_id
    where ${STALLED} and ${FORGOTTEN} and ${isItsTurn(DELIVERY_DUE)} order by d.created_at limit ${BATCH})),
reminded as (
  update leads set reminded_at = $1 where id in (
    select l.id from overdue join leads l using (id) where ${FORGOTTEN}
    limit ${BATCH} for no key update of l skip locked)
  returning id)
insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
select id, 'recover', $1, $1 from reminded
returning id`;
