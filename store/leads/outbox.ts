import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';

export interface OutboxRow {
  id: number;
  leadId: string;
  event: string;
}

/** Signalled after other events. */
export const REMINDER = 'recover';

/** One command of an operator writes these for thousands of leads. */
const BULK_EVENTS = ['client_activated', 'endpoint_enabled', 'resent'];
const BULK = `(${BULK_EVENTS.map((event) => `'${event}'`).join(', ')})`;

export const IS_LATE = `event <> '${REMINDER}' and (attempts > 0 or event not in ${BULK})`;

/** The relay takes a row after its lease. A process with more to do renews it. */
export const OUTBOX_LEASE_MS = 5000;

export async function deleteOutboxRows(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.all(DELETE_OUTBOX_ROWS, { ids });
}

const DELETE_OUTBOX_ROWS = statement<{ ids: readonly number[] }>('delete_outbox_rows')`
delete from lead_outbox where id = any (:ids::bigint[])`;

/** Returns the rows that no relay took meanwhile. */
export async function renewOutboxLeases(sql: Sql, ids: readonly number[], until: Date) {
  const renewed = await sql.all(RENEW_OUTBOX_LEASES, { ids, until });
  return renewed.map(({ id }) => id);
}

const RENEW_OUTBOX_LEASES = statement<{ ids: readonly number[]; until: Date }, { id: number }>(
  'renew_outbox_leases',
)`
update lead_outbox set next_attempt_at = :until
where id = any (:ids::bigint[]) and attempts = 0 returning id`;

/** Leases grow, so that another relay takes the rows of a dead one. Event kinds alternate; reminders are last. */
export function leaseOutboxBatch(sql: Sql, now: Date, limit: number): Promise<OutboxRow[]> {
  return sql.all(LEASE_OUTBOX_BATCH, { now, limit });
}

export function leaseBulkBatch(sql: Sql, now: Date, limit: number): Promise<OutboxRow[]> {
  return sql.all(LEASE_BULK_BATCH, { now, limit });
}

/**
 * Reads `limit` index entries per kind. One array of ids, because a generic plan hashes the whole table (60 to 96 ms
 * instead of 0.5 to 3 ms a batch at 100,000 rows).
 */
const leaseBatchOf = (isOfKind: string) => `with recursive kinds as (
  select min(event) as event from lead_outbox
  union all
  select (select min(event) from lead_outbox where event > kinds.event) from kinds where event is not null),
due as (
  select id, next_attempt_at, kinds.event = '${REMINDER}' as is_reminder,
         row_number() over (partition by kinds.event order by next_attempt_at) as turn
  from kinds cross join lateral (
    select id, next_attempt_at from lead_outbox
    where event = kinds.event and ${isOfKind} and next_attempt_at <= :now
    order by next_attempt_at limit :limit for update skip locked) oldest)
update lead_outbox o
set attempts = attempts + 1,
    next_attempt_at = :now::timestamptz + least(60, 5 * (attempts + 1)) * interval '1 second'
where id = any (array(
  select id from due order by is_reminder, turn, next_attempt_at limit :limit))
returning id, lead_id as "leadId", event`;

const LEASE_OUTBOX_BATCH = statement<{ now: Date; limit: number }, OutboxRow>(
  'lease_outbox_batch',
)`${leaseBatchOf(`kinds.event not in ${BULK}`)}`;

const LEASE_BULK_BATCH = statement<{ now: Date; limit: number }, OutboxRow>(
  'lease_bulk_batch',
)`${leaseBatchOf(`kinds.event in ${BULK}`)}`;

/** The lease begins at the write: the request of `now` may have waited longer than a lease. */
export function buildOutboxRow(leadId: string, event: string, now: Date) {
  const next_attempt_at = new Date(Date.now() + OUTBOX_LEASE_MS).toISOString();
  return { lead_id: leadId, event, created_at: now.toISOString(), next_attempt_at };
}

/** Returns the number of reminded leads, and if the limit is reached. */
export async function remindOverdue(sql: Sql, times: ReminderTimes) {
  const row = await sql.first(COUNT_REMINDERS, times);
  const room = MOST_REMINDERS - (row?.waiting ?? 0);
  if (room <= 0) return { reminded: 0, isFull: true };
  const reminded = (await sql.all(REMIND_OVERDUE, { ...times, room })).length;
  return { reminded, isFull: reminded === room };
}

/** Over all workers, so that reminders do not add to a backlog. */
const MOST_REMINDERS = 100;
/** As a multiple of the time after which a lead is overdue. */
const LONGEST_PAUSE = 15;

interface ReminderTimes {
  now: Date;
  overdueBefore: Date;
}

const COUNT_REMINDERS = statement<ReminderTimes, { waiting: number }>('count_reminders')`
select count(*)::int as waiting from lead_outbox where event = '${REMINDER}'
and created_at > :now::timestamptz - ${LONGEST_PAUSE} * (:now::timestamptz - :overdueBefore::timestamptz)`;

/** A lead with an outbox row or a recent reminder is about to be signalled. */
const IS_UNATTENDED = `(l.reminded_at is null or l.reminded_at <= :overdueBefore)
  and not exists (select from lead_outbox o where o.lead_id = l.id)`;

/** The pause before the next reminder is half of the time that the lead was overdue at the last one. */
const isReminderDue = (since: string) => `(l.reminded_at is null or l.reminded_at
  + least((l.reminded_at - ${since}) / 2, ${LONGEST_PAUSE} * (:now::timestamptz - :overdueBefore::timestamptz)) <= :now)`;

const DELIVERY_DUE = 'coalesce(d.next_attempt_at, d.created_at)';

/** The order of the partial index on open leads, with a limit, so that no plan reads finished leads. */
const overdueLeads = (since: string, isOpen: string) => `
  (select l.id from leads l
   where ${isOpen} and ${since} <= :overdueBefore and ${IS_UNATTENDED} and ${isReminderDue(since)}
   order by ${since} limit :room)`;

/** Leads that wait in this round or are due are routed by worker/waiting-leads.ts, not by their workflow. */
const IS_PENDING = `l.assignment_status = 'pending'
  and not exists (select from waiting_leads w where w.lead_id = l.id and (w.due_at <= :now
    or exists (select from lead_waits d where d.lead_id = l.id and d.round = l.round)))`;

const REMIND_OVERDUE = statement<ReminderTimes & { room: number }, { id: number }>(
  'remind_overdue',
)`
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
