import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';

/** An event to signal to a lead's workflow; its row is deleted once the signal was sent. */
export interface OutboxRow {
  id: number;
  leadId: string;
  event: string;
}

/** The event of a reminder: the lead was signalled before, so events that were not come first. */
export const REMINDER = 'recover';

/** Events that one command of an operator writes for thousands of leads, which have deliveries to be made. */
const BULK_EVENTS = ['client_activated', 'endpoint_enabled', 'resent'];
const BULK = `(${BULK_EVENTS.map((event) => `'${event}'`).join(', ')})`;

/** A row that should have been signalled by now: neither a reminder nor a bulk event that nobody tried yet. */
export const IS_LATE = `event <> '${REMINDER}' and (attempts > 0 or event not in ${BULK})`;

/** How long the writer holds the lease on a row before the relay may take it. A process with more to do renews it. */
export const OUTBOX_LEASE_MS = 5000;

export async function deleteOutboxRows(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.all(DELETE_OUTBOX_ROWS, { ids });
}

const DELETE_OUTBOX_ROWS = statement<{ ids: readonly number[] }>('delete_outbox_rows')`
delete from lead_outbox where id = any (:ids::bigint[])`;

/** Returns the rows that are still the caller's: those that no relay took meanwhile. */
export async function renewOutboxLeases(
  sql: Sql,
  ids: readonly number[],
  until: Date,
): Promise<number[]> {
  const renewed = await sql.all(RENEW_OUTBOX_LEASES, { ids, until });
  return renewed.map(({ id }) => id);
}

const RENEW_OUTBOX_LEASES = statement<{ ids: readonly number[]; until: Date }, { id: number }>(
  'renew_outbox_leases',
)`
update lead_outbox set next_attempt_at = :until
where id = any (:ids::bigint[]) and attempts = 0 returning id`;

/**
 * Leases rows for a growing time, so that a relay that dies leaves them to the next one. Skips locked rows.
 * The kinds of events take turns: an update does not wait behind a backlog of new leads. Reminders come last.
 */
export function leaseOutboxBatch(sql: Sql, now: Date, limit: number): Promise<OutboxRow[]> {
  return sql.all(LEASE_OUTBOX_BATCH, { now, limit });
}

export function leaseBulkBatch(sql: Sql, now: Date, limit: number): Promise<OutboxRow[]> {
  return sql.all(LEASE_BULK_BATCH, { now, limit });
}

/**
 * Reads `limit` entries of the index per kind of event, however many rows there are. The ids come as one array: joined
 * to the table, under a generic plan that does not know the limit, they would be hashed with all of its rows (60 to
 * 96 ms a batch at 100,000 rows, against 0.5 to 3 ms).
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

/**
 * A new row is leased to the process that writes it, which signals the workflow itself. The lease begins at the write: the
 * request, of `now`, may have waited longer for its turn than a lease is.
 */
export function buildOutboxRow(leadId: string, event: string, now: Date) {
  const next_attempt_at = new Date(Date.now() + OUTBOX_LEASE_MS).toISOString();
  return { lead_id: leadId, event, created_at: now.toISOString(), next_attempt_at };
}

/** Writes the outbox row for a waiting lead that was routed or whose wait changed. The caller signals, or the relay. */
export async function announceRouted(sql: Sql, leadId: string, at: Date): Promise<OutboxRow> {
  const leaseUntil = new Date(at.getTime() + OUTBOX_LEASE_MS);
  const row = await sql.first(ANNOUNCE_ROUTED, { leadId, at, leaseUntil });
  if (!row) throw new Error('An insert returns its row.');
  return row;
}

const ANNOUNCE_ROUTED = statement<{ leadId: string; at: Date; leaseUntil: Date }, OutboxRow>(
  'announce_routed',
)`
insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
values (:leadId, 'routed', :at, :leaseUntil) returning id, lead_id as "leadId", event`;

/** As far as there is room for reminders. Returns how many leads got one, and whether the room is used up. */
export async function remindOverdue(
  sql: Sql,
  times: ReminderTimes,
): Promise<{ reminded: number; isFull: boolean }> {
  const row = await sql.first(COUNT_REMINDERS, times);
  const room = MOST_REMINDERS - (row?.waiting ?? 0);
  if (room <= 0) return { reminded: 0, isFull: true };
  const reminded = (await sql.all(REMIND_OVERDUE, { ...times, room })).length;
  return { reminded, isFull: reminded === room };
}

/** Over all workers; more would feed a backlog. Reminders that can no longer be signalled do not count. */
const MOST_REMINDERS = 100;
/** The longest pause between two reminders of a lead, as a multiple of the time after which it counts as overdue. */
const LONGEST_PAUSE = 15;

interface ReminderTimes {
  now: Date;
  overdueBefore: Date;
}

const COUNT_REMINDERS = statement<ReminderTimes, { waiting: number }>('count_reminders')`
select count(*)::int as waiting from lead_outbox where event = '${REMINDER}'
and created_at > :now::timestamptz - ${LONGEST_PAUSE} * (:now::timestamptz - :overdueBefore::timestamptz)`;

/** A lead with an outbox row, or one reminded lately, is about to be signalled. */
const IS_UNATTENDED = `(l.reminded_at is null or l.reminded_at <= :overdueBefore)
  and not exists (select from lead_outbox o where o.lead_id = l.id)`;

/** The pause before the next reminder is half as long as the lead was overdue at its last one. */
const isReminderDue = (since: string) => `(l.reminded_at is null or l.reminded_at
  + least((l.reminded_at - ${since}) / 2, ${LONGEST_PAUSE} * (:now::timestamptz - :overdueBefore::timestamptz)) <= :now)`;

const DELIVERY_DUE = 'coalesce(d.next_attempt_at, d.created_at)';

/** The order is that of the partial index on open leads, with a limit, so that no plan reads finished leads. */
const overdueLeads = (since: string, isOpen: string) => `
  (select l.id from leads l
   where ${isOpen} and ${since} <= :overdueBefore and ${IS_UNATTENDED} and ${isReminderDue(since)}
   order by ${since} limit :room)`;

/**
 * The owner of the queue (worker/waiting-leads.ts) routes a lead that waits in this round or is due. Only the lead's
 * workflow routes one that has got new details and is not due yet.
 */
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
