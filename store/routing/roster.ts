import type { Candidates } from '../../domain/routing/match-rules.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import { OPEN_LEADS, startOfDay } from './agents.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';

/**
 * The candidates of a decision, locked and only then read. `now` is the moment of the decision: times of
 * decisions are in the order in which turns were taken.
 */
export async function lockAndReadRoster(
  sql: Sql,
  candidates: Candidates,
  clock: () => Date,
): Promise<{ roster: Roster; now: Date }> {
  const isNobody = candidates.teamIds.length + candidates.agentIds.length === 0;
  if (isNobody) return { roster: { agents: [], teams: [] }, now: clock() };
  await lockRoster(sql, candidates);
  const now = clock();
  return { roster: await readRoster(sql, candidates, now), now };
}

/**
 * Locks everyone that a decision could touch, in one order, so that caps and rotation are read by one
 * decision at a time. The roster is read by the next statement.
 */
async function lockRoster(sql: Sql, { teamIds, agentIds }: Candidates): Promise<void> {
  await sql.query(
    `select id from agents
     where id = any ($2::uuid[]) or id in (select agent_id from team_members where team_id = any ($1::uuid[]))
     order by id for no key update`,
    [teamIds, agentIds],
  );
}

async function readRoster(sql: Sql, { teamIds, agentIds }: Candidates, now: Date): Promise<Roster> {
  const [row] = await sql.query<{ roster: Roster }>(ROSTER_SQL, [teamIds, agentIds, now]);
  return row?.roster ?? { agents: [], teams: [] };
}

const ROSTER_SQL = `
with members as (
  select team_id, agent_id, weight, credit, position from team_members where team_id = any ($1::uuid[])),
wanted as (
  select agent_id as id from members union select unnest($2::uuid[]))
select jsonb_build_object(
  'agents', coalesce((select jsonb_agg(jsonb_build_object(
      'id', g.id, 'active', g.active, 'paused', g.paused_at is not null, 'languages', g.languages,
      'locationIds', g.location_ids, 'category', g.category, 'timeZone', g.time_zone,
      'workingHours', g.working_hours, 'dailyCap', g.daily_cap, 'openCap', g.open_cap,
      'assignedToday', (select count(*) from assignments a where a.agent_id = g.id
         and a.decided_at >= ${startOfDay('$3')}),
      'openLeads', ${OPEN_LEADS},
      'lastAssignedAt', (select ${utcText('max(a.decided_at)')}
                         from assignments a where a.agent_id = g.id)) order by g.id)
    from agents g join wanted using (id)), '[]'),
  'teams', coalesce((select jsonb_agg(jsonb_build_object('id', team_id, 'members', members) order by team_id) from (
      select team_id, jsonb_agg(jsonb_build_object('agentId', agent_id, 'weight', weight, 'credit', credit)
        order by position, agent_id) as members
      from members group by team_id) t), '[]')) as roster`;
