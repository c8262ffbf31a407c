import type { Sql } from '../db/database.ts';
import { REMINDER } from './outbox.ts';

/**
 * Gives leads that were due before `overdueBefore` an outbox row, as far as there is room for reminders; returns how many
 * leads that were, and whether there was no room for more.
 */
export async function remindOverdue(
  sql: Sql,
  times: { now: Date; overdueBefore: Date },
): Promise<{ reminded: number; isFull: boolean }> {
  const row = await sql.queryOne<{ waiting: number }>(
    `select count(*)::int as waiting from lead_outbox where event = '${REMINDER}'
       and created_at > :now::timestamptz - ${LONGEST_PAUSE} * (:now::timestamptz - :overdueBefore::timestamptz)`,
    times,
  );
  const room = MOST_REMINDERS - (row?.waiting ?? 0);
  if (room <= 0) return { reminded: 0, isFull: true };
  const reminded = (await sql.query(REMIND_OVERDUE_SQL, { ...times, room })).length;
  return { reminded, isFull: reminded === room };
}

/** That wait at a time, over all workers, but for those that no longer can be signalled: in a backlog of many thousands they would feed it. */
const MOST_REMINDERS = 100;
/** Between two reminders of a lead, as a multiple of the time after which it counts as overdue. */
const LONGEST_PAUSE = 15;

/** A lead with an outbox row, or one reminded lately, is about to be signalled. */
const IS_UNATTENDED = `(l.reminded_at is null or l.reminded_at <= :overdueBefore)
  and not exists (select from lead_outbox o where o.lead_id = l.id)`;

/** Each pause is half as long as the lead was overdue at its last reminder. */
const isReminderDue = (since: string) => `(l.reminded_at is null or l.reminded_at
  + least((l.reminded_at - ${since}) / 2, ${LONGEST_PAUSE} * (:now::timestamptz - :overdueBefore::timestamptz)) <= :now)`;

const DELIVERY_DUE = 'coalesce(d.next_attempt_at, d.created_at)';

/** Sorted as the partial index on open leads is, and limited, so that no plan reads the finished leads. */
const overdueLeads = (since: string, isOpen: string) => `
  (select l.id from leads l
   where ${isOpen} and ${since} <= :overdueBefore and ${IS_UNATTENDED} and ${isReminderDue(since)}
   order by ${since} limit :room)`;

/** A lead that waits for an agent is the owner's of the queue (worker/waiting-leads.ts). */
const IS_PENDING = `l.assignment_status = 'pending'
  and not exists (select from waiting_leads w where w.lead_id = l.id)`;

const REMIND_OVERDUE_SQL = `
with overdue as (
  ${overdueLeads('l.updated_at', IS_PENDING)}
  union ${overdueLeads('l.follow_up_due_at', 'l.follow_up_due_at is not null')}
  union ${overdueLeads('l.merge_window_ends_at', 'l.merge_window_closed_at is null and not l.is_portal')}
  union (
    select l.id from webhook_deliveries d join leads l on l.id = d.lead_id
    where d.status = 'pending' and ${DELIVERY_DUE} <= :overdueBefore
      and ${IS_UNATTENDED} and ${isReminderDue(DELIVERY_DUE)}
    order by d.created_at limit :room)),
reminded as (
  update leads set reminded_at = :now where id in (
    select l.id from overdue join leads l using (id) where ${IS_UNATTENDED}
    limit :room for no key update of l skip locked)
  returning id)
insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
select id, '${REMINDER}', :now, :now from reminded
returning id`;
