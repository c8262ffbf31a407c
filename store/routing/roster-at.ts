import type { OpenLead } from '../../domain/routing/replay-roster.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import { startOfDay } from './agents.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';

export interface RosterAt {
  roster: Roster;
  /** The leads held then that closed later. */
  open: OpenLead[];
}

/**
 * Everyone with the loads and credits that they had at a past moment. Who is active, with which caps and
 * hours, is as of now; stored decisions know it better (`PastLead.known`).
 */
export async function readRosterAt(sql: Sql, at: Date): Promise<RosterAt> {
  const [row] = await sql.query<{ agents: Roster['agents']; teams: Roster['teams'] }>(
    ROSTER_AT_SQL,
    [at],
  );
  const open = await sql.query<OpenLead & Record<string, unknown>>(
    `${HELD_SQL} select agent_id as "agentId", (extract(epoch from closed_at) * 1000)::bigint as "closesAtMs"
     from held where closed_at is not null`,
    [at],
  );
  return { roster: { agents: row?.agents ?? [], teams: row?.teams ?? [] }, open };
}

/** An agent held a lead from its assignment until the response or the next change of hands. */
const HELD_SQL = `
with held as (
  select h.agent_id, h.closed_at from (
    select a.agent_id, a.decided_at, least(l.agent_responded_at,
      lead(a.decided_at) over (partition by a.lead_id order by a.round, a.move)) as closed_at
    from assignments a join leads l on l.id = a.lead_id) h
  where h.agent_id is not null and h.decided_at <= $1 and (h.closed_at is null or h.closed_at > $1))`;

/** A team's credits at that time are those in the roster of its first later decision. */
const ROSTER_AT_SQL = `${HELD_SQL},
loads as (select agent_id, count(*) as open_leads from held group by agent_id),
seen as (
  select distinct on (t.team ->> 'id') (t.team ->> 'id')::uuid as team_id, t.team -> 'members' as members
  from routing_decisions d join assignments a on a.id = d.assignment_id,
    jsonb_array_elements(d.roster -> 'teams') as t (team)
  where a.decided_at > $1
  order by t.team ->> 'id', a.decided_at, a.id),
credits as (
  select s.team_id, (m ->> 'agentId')::uuid as agent_id, (m ->> 'credit')::int as credit
  from seen s, jsonb_array_elements(s.members) m)
select
  (select coalesce(jsonb_agg(jsonb_build_object(
      'id', g.id, 'active', g.active, 'paused', g.paused_at is not null, 'languages', g.languages,
      'locationIds', g.location_ids, 'category', g.category, 'timeZone', g.time_zone,
      'workingHours', g.working_hours, 'dailyCap', g.daily_cap, 'openCap', g.open_cap,
      'assignedToday', (select count(*) from assignments a where a.agent_id = g.id and a.decided_at <= $1
         and a.decided_at >= ${startOfDay('$1')}),
      'openLeads', coalesce((select open_leads from loads where agent_id = g.id), 0),
      'lastAssignedAt', (select ${utcText('max(a.decided_at)')}
         from assignments a where a.agent_id = g.id and a.decided_at <= $1)) order by g.id), '[]')
   from agents g) as agents,
  (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'members', t.members) order by t.id), '[]') from (
    select m.team_id as id, jsonb_agg(jsonb_build_object('agentId', m.agent_id, 'weight', m.weight,
        'credit', case when exists (select from seen s where s.team_id = m.team_id) then c.credit else m.credit end)
        order by m.position, m.agent_id) as members
    from team_members m left join credits c on c.team_id = m.team_id and c.agent_id = m.agent_id
    group by m.team_id) t) as teams`;
