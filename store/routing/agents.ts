import type { Calendar, DatedHours, Period } from '../../domain/routing/calendar.ts';
import { startOfDay } from '../../domain/routing/local-time.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Database, Sql } from '../db/database.ts';
import { statement, type NoParams, type Statement } from '../db/statement.ts';
import { wakeWaitingLeads, wasUndone } from '../leads/waiting-leads.ts';

const START_OF_DAY = `(:dayStarts::jsonb ->> g.time_zone)::timestamptz`;

/** Node's time zones, as for working hours: Postgres may have others. A parameter of `leadsToday`. */
export async function readDayStarts(sql: Sql, at: Date): Promise<string> {
  const rows = await sql.all(READ_AGENT_ZONES, {});
  const starts = rows.map(({ zone }) => [zone, startOfDay(at, zone)?.toISOString()]);
  return JSON.stringify(Object.fromEntries(starts));
}

const READ_AGENT_ZONES = statement<NoParams, { zone: string }>('read_agent_zones')`
select distinct time_zone as zone from agents`;

/** Excludes reverted assignments and the assignments that restored earlier ones. */
export const COUNTS_TODAY = `(a.hand_over_id is null or not exists (
    select from hand_overs u where u.id = a.hand_over_id and u.undoes is not null and u.target = 'agent')
  and not ${wasUndone('a.hand_over_id', 'a.lead_id')})`;

/** A lead that came back counts once. */
export const leadsToday = (condition = 'true') => `(
  select count(distinct a.lead_id) from assignments a
  where a.agent_id = g.id and a.decided_at >= ${START_OF_DAY} and ${condition} and ${COUNTS_TODAY})`;

export const OPEN_LEADS = `(select count(*) from leads l where l.owner_id = g.id and l.agent_responded_at is null)`;

type Absence = Period & { note: string | null };

export interface AgentEntry extends Omit<Calendar, 'holidays'> {
  id: string;
  name: string;
  /** Shown in the Temporal Web UI. */
  slug: string;
  email: string;
  active: boolean;
  pausedAt: Date | null;
  absences: Absence[];
  languages: string[];
  teams: string[];
  /** On the agent's own day. */
  assignedToday: number;
  dailyCap: number | null;
  openLeads: number;
  openCap: number | null;
}

export async function readAgents(sql: Sql, now: Date): Promise<AgentEntry[]> {
  const dayStarts = await readDayStarts(sql, now);
  return sql.all(READ_AGENTS, { now, dayStarts });
}

const READ_AGENTS = statement<{ now: Date; dayStarts: string }, AgentEntry>('read_agents')`
select g.id, g.name, g.slug, g.email, g.active, g.paused_at as "pausedAt", g.time_zone as "timeZone",
  g.working_hours as "workingHours", ${datedHours(':now')} as "datedHours",
  ${absences(':now', `, 'note', b.note`)} as absences, g.languages,
  coalesce((select jsonb_agg(t.name order by t.name) from team_members m join teams t on t.id = m.team_id
            where m.agent_id = g.id), '[]') as teams,
  ${leadsToday()} as "assignedToday",
  g.daily_cap as "dailyCap",
  ${OPEN_LEADS} as "openLeads",
  g.open_cap as "openCap"
from agents g order by g.name, g.email`;

export async function countOpenLeads(sql: Sql, agentId: string): Promise<number> {
  return (await sql.first(COUNT_OPEN_LEADS, { agentId }))?.leads ?? 0;
}

const COUNT_OPEN_LEADS = statement<{ agentId: string }, { leads: number }>('count_open_leads')`
select ${OPEN_LEADS} as leads from agents g where g.id = :agentId`;

export async function countNewlyOwned(sql: Sql, agentId: string, leadIds: readonly string[]) {
  const counts = await sql.first(COUNT_NEWLY_OWNED, { agentId, leadIds });
  return counts ?? { leads: 0, open: 0 };
}

const COUNT_NEWLY_OWNED = statement<
  { agentId: string; leadIds: readonly string[] },
  { leads: number; open: number }
>('count_newly_owned')`
select count(*) as leads, count(*) filter (where agent_responded_at is null) as open
from leads where id = any (:leadIds::uuid[]) and owner_id is distinct from :agentId`;

export type AgentIdentity = Pick<AgentEntry, 'id' | 'name' | 'email'>;

/** By email or slug, else by name, else by whole words in the name. */
export function findAgents(sql: Sql, text: string): Promise<AgentIdentity[]> {
  return sql.all(FIND_AGENTS, { text });
}

const FIND_AGENTS = statement<{ text: string }, AgentIdentity>('find_agents')`
select id, name, email from (
  select *, rank() over (order by case when asked in (email, slug) then 1 when asked = lower(name) then 2 else 3 end)
  from agents, lower(trim(:text)) asked
  where asked in (email, slug, lower(name)) or asked <> '' and strpos(' ' || lower(name) || ' ', ' ' || asked || ' ') > 0) found
where rank = 1 order by email`;

/** Most similar first. Ignores the domain of an email, which agents share. */
export function findNearAgents(sql: Sql, text: string): Promise<AgentIdentity[]> {
  return sql.all(FIND_NEAR_AGENTS, { text });
}

const FIND_NEAR_AGENTS = statement<{ text: string }, AgentIdentity>('find_near_agents')`
select id, name, email from agents, split_part(:text, '@', 1) asked, greatest(
  word_similarity(asked, name), word_similarity(asked, split_part(email, '@', 1)), word_similarity(asked, slug)) near
where near > 0.4 order by near desc, email limit 3`;

export async function readTeamMembers(sql: Sql, team: string): Promise<AgentIdentity[] | null> {
  const rows = await sql.all(READ_TEAM_MEMBERS, { team });
  return rows.length === 0 ? null : rows.filter((row) => row.id !== null);
}

const READ_TEAM_MEMBERS = statement<{ team: string }, AgentIdentity>('read_team_members')`
select g.id, g.name, g.email from teams t
  left join team_members m on m.team_id = t.id left join agents g on g.id = m.agent_id
where lower(t.name) = lower(trim(:team)) order by g.email`;

type AgentName = Pick<AgentEntry, 'id' | 'slug' | 'name'>;

export function readAgentNames(sql: Sql): Promise<AgentName[]> {
  return sql.all(READ_AGENT_NAMES, {});
}

const READ_AGENT_NAMES = statement<NoParams, AgentName>('read_agent_names')`
select id, slug, name from agents`;

/** False if there was no change: a continued pause keeps its start. */
export async function setPaused(database: Database, agentId: string, pausedAt: Date | null) {
  return (await changeAgents(database, SET_PAUSED, { agentId, pausedAt })) > 0;
}

/** Triggers a new look at the leads that wait for these agents. Returns the number of changed agents. */
function changeAgents<Params extends object>(
  database: Database,
  change: Statement<Params, { agentId: string }>,
  params: Params,
): Promise<number> {
  return database.transaction(async (sql) => {
    const changed = await sql.all(change, params);
    for (const { agentId } of changed) await wakeWaitingLeads(sql, agentId);
    return changed.length;
  });
}

const SET_PAUSED = statement<{ agentId: string; pausedAt: Date | null }, { agentId: string }>(
  'set_paused',
)`
update agents set paused_at = :pausedAt
where id = :agentId and (paused_at is null) = (:pausedAt::timestamptz is not null) returning id as "agentId"`;

export const AGENT_VIEW = `id, slug, name, email, phone, whatsapp_phone as "whatsappPhone", active`;

/** A concurrent deactivation waits for this lock, and finds the lead that the agent got. */
export async function readAgent(sql: Sql, agentId: string): Promise<AgentView | null> {
  return sql.first(READ_AGENT, { agentId });
}

const READ_AGENT = statement<{ agentId: string }, AgentView>('read_agent')`
select ${AGENT_VIEW} from agents where id = :agentId for share`;

/**
 * Two more days, because a time in another zone may fall on another day of the agent. The day of each row would double
 * the time of a roster (100 agents, 37 absences each); the subquery runs once.
 */
function notOver(at: string): string {
  return `b.ends >= (select to_char((${at}::timestamptz - interval '2 days') at time zone 'UTC', 'YYYY-MM-DD'))`;
}

function periods(of: string, members: string): string {
  return `(
  select coalesce(jsonb_agg(jsonb_build_object('from', b.starts, 'to', b.ends${members}) order by b.starts, b.ends), '[]')
  from ${of})`;
}

export function absences(at: string, members = ''): string {
  return periods(`agent_absences b where b.agent_id = g.id and ${notOver(at)}`, members);
}

export function holidays(at: string, members = ''): string {
  return periods(`holidays b where ${notOver(at)}`, members);
}

export function datedHours(at: string): string {
  return periods(
    `agent_dated_hours b where b.agent_id = g.id and ${notOver(at)}`,
    `, 'workingHours', b.working_hours`,
  );
}

/** With the names of current and future absences and holidays. */
export interface NamedCalendar extends Calendar {
  absences: Absence[];
  holidays: (Period & { name: string })[];
}

export async function readAgentCalendar(sql: Sql, agentId: string, now: Date) {
  const calendar = await sql.first(READ_CALENDAR, { agentId, since: now });
  if (!calendar) throw new Error(`Agent ${agentId} not found.`);
  return calendar;
}

const READ_CALENDAR = statement<{ agentId: string; since: Date }, NamedCalendar>('read_calendar')`
select g.working_hours as "workingHours", ${datedHours(':since')} as "datedHours", g.time_zone as "timeZone",
  ${absences(':since', `, 'note', b.note`)} as absences, ${holidays(':since', `, 'name', b.name`)} as holidays
from agents g where g.id = :agentId`;

/** The same period gets the new note. Queued leads are looked at again. */
export async function addAbsence(database: Database, agentId: string, absence: Absence) {
  await changeAgents(database, ADD_ABSENCE, { agentId, ...absence });
}

const ADD_ABSENCE = statement<Absence & { agentId: string }, { agentId: string }>('add_absence')`
insert into agent_absences (agent_id, starts, ends, note) values (:agentId, :from, :to, :note)
on conflict (agent_id, starts, ends) do update set note = excluded.note returning agent_id as "agentId"`;

export async function removeAbsences(
  database: Database,
  agentId: string,
  absences: readonly Period[],
): Promise<void> {
  const [starts, ends] = [absences.map(({ from }) => from), absences.map(({ to }) => to)];
  await changeAgents(database, REMOVE_ABSENCES, { agentId, starts, ends });
}

const REMOVE_ABSENCES = statement<
  { agentId: string; starts: string[]; ends: string[] },
  { agentId: string }
>('remove_absences')`
delete from agent_absences where agent_id = :agentId
  and (starts, ends) in (select * from unnest(:starts::text[], :ends::text[])) returning agent_id as "agentId"`;

export function changeDatedHours(
  database: Database,
  agentIds: readonly string[],
  { from, to, workingHours }: DatedHours,
  isCancelled: boolean,
): Promise<number> {
  const values = { agentIds, from, to, workingHours: JSON.stringify(workingHours) };
  return changeAgents(database, isCancelled ? REMOVE_DATED_HOURS : ADD_DATED_HOURS, values);
}

interface DatedHoursChange extends Period {
  agentIds: readonly string[];
  workingHours: string;
}

const ADD_DATED_HOURS = statement<DatedHoursChange, { agentId: string }>('add_dated_hours')`
insert into agent_dated_hours (agent_id, starts, ends, working_hours)
select id, :from, :to, :workingHours::json from unnest(:agentIds::uuid[]) id
on conflict (agent_id, starts, ends) do update set working_hours = excluded.working_hours
returning agent_id as "agentId"`;

const REMOVE_DATED_HOURS = statement<DatedHoursChange, { agentId: string }>('remove_dated_hours')`
delete from agent_dated_hours where agent_id = any (:agentIds::uuid[]) and starts = :from and ends = :to
returning agent_id as "agentId"`;

export function agentAsJson(agent: string): string {
  const members = ['id', 'slug', 'name', 'email', 'phone', 'active'].map(
    (name) => `'${name}', ${agent}.${name}`,
  );
  return `case when ${agent}.id is not null then jsonb_build_object(
    ${members.join(', ')}, 'whatsappPhone', ${agent}.whatsapp_phone) end`;
}
