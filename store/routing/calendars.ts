import type { Calendar, DatedHours, Period } from '../../domain/routing/calendar.ts';
import { wakeWaitingLeads } from '../assignment/waiting-leads.ts';
import type { Database, Sql } from '../db/database.ts';

/**
 * Absences or dated hours of agent `g` or the holidays `b` that were not over yet at the moment `at`. A time in another
 * zone may name another day than the agent's, so two more days are read. Computing that day for each
 * row would double the time that a roster of 100 agents with 37 absences each takes; the subquery runs once.
 */
const notOver = (at: string) =>
  `b.ends >= (select to_char((${at}::timestamptz - interval '2 days') at time zone 'UTC', 'YYYY-MM-DD'))`;

const periods = (of: string, members: string) => `(
  select coalesce(jsonb_agg(jsonb_build_object('from', b.starts, 'to', b.ends${members}) order by b.starts, b.ends), '[]')
  from ${of})`;

export const absences = (at: string, members = '') =>
  periods(`agent_absences b where b.agent_id = g.id and ${notOver(at)}`, members);

export const holidays = (at: string, members = '') =>
  periods(`holidays b where ${notOver(at)}`, members);

export const datedHours = (at: string) =>
  periods(
    `agent_dated_hours b where b.agent_id = g.id and ${notOver(at)}`,
    `, 'workingHours', b.working_hours`,
  );

/** When an agent works, with what people call the absences and holidays of now and later. */
export interface NamedCalendar extends Calendar {
  absences: (Period & { note: string | null })[];
  holidays: (Period & { name: string })[];
}

export async function readAgentCalendar(
  sql: Sql,
  agentId: string,
  now: Date,
): Promise<NamedCalendar> {
  const calendar = await sql.queryOne<NamedCalendar>(AGENT_CALENDAR_SQL, { agentId, now });
  if (!calendar) throw new Error(`The agent ${agentId} is not there.`);
  return calendar;
}

const AGENT_CALENDAR_SQL = `
select g.working_hours as "workingHours", ${datedHours(':now')} as "datedHours", g.time_zone as "timeZone",
  ${absences(':now', `, 'note', b.note`)} as absences, ${holidays(':now', `, 'name', b.name`)} as holidays
from agents g where g.id = :agentId`;

/** Everyone's, with the absences and holidays that were not over at `since`. */
export async function readCalendars(sql: Sql, since: Date): Promise<Map<string, Calendar>> {
  const rows = await sql.query<Calendar & { id: string }>(CALENDARS_SQL, { since });
  return new Map(rows.map(({ id, ...calendar }) => [id, calendar]));
}

const CALENDARS_SQL = `
select g.id, g.working_hours as "workingHours", ${datedHours(':since')} as "datedHours",
  g.time_zone as "timeZone",
  ${absences(':since')} as absences, ${holidays(':since')} as holidays
from agents g`;

/** One that begins and ends alike gets the new note. Waiting leads are looked at again, as after every change of a calendar. */
export async function addAbsence(
  database: Database,
  agentId: string,
  absence: Period & { note: string | null },
): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(ADD_ABSENCE_SQL, { agentId, ...absence });
    await wakeWaitingLeads(sql, agentId);
  });
}

const ADD_ABSENCE_SQL = `
insert into agent_absences (agent_id, starts, ends, note) values (:agentId, :from, :to, :note)
on conflict (agent_id, starts, ends) do update set note = excluded.note`;

export async function removeAbsences(
  database: Database,
  agentId: string,
  absences: readonly Period[],
): Promise<void> {
  await database.transaction(async (sql) => {
    for (const { from, to } of absences) await sql.query(REMOVE_ABSENCE_SQL, { agentId, from, to });
    await wakeWaitingLeads(sql, agentId);
  });
}

const REMOVE_ABSENCE_SQL = `
delete from agent_absences where agent_id = :agentId and starts = :from and ends = :to`;

/** Hours in place of the usual ones on some days; returns for how many of the agents they are new. */
export const addDatedHours = (
  database: Database,
  agentIds: readonly string[],
  hours: DatedHours,
): Promise<number> => changeDatedHours(database, agentIds, hours, ADD_DATED_HOURS_SQL);

export const removeDatedHours = (
  database: Database,
  agentIds: readonly string[],
  hours: DatedHours,
): Promise<number> => changeDatedHours(database, agentIds, hours, REMOVE_DATED_HOURS_SQL);

function changeDatedHours(
  database: Database,
  agentIds: readonly string[],
  { from, to, workingHours }: DatedHours,
  text: string,
): Promise<number> {
  return database.transaction(async (sql) => {
    const values = { agentIds, from, to, workingHours: JSON.stringify(workingHours) };
    const changed = await sql.query<{ agentId: string }>(text, values);
    for (const { agentId } of changed) await wakeWaitingLeads(sql, agentId);
    return changed.length;
  });
}

const ADD_DATED_HOURS_SQL = `
insert into agent_dated_hours (agent_id, starts, ends, working_hours)
select id, :from, :to, :workingHours::json from unnest(:agentIds::uuid[]) id
on conflict (agent_id, starts, ends) do update set working_hours = excluded.working_hours
returning agent_id as "agentId"`;

const REMOVE_DATED_HOURS_SQL = `
delete from agent_dated_hours where agent_id = any (:agentIds::uuid[]) and starts = :from and ends = :to
returning agent_id as "agentId"`;
