import type { Candidates } from '../../domain/routing/match-rules.ts';
import type { StoredDecision } from '../../domain/routing/recompute.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import type { GivenLead, OpenLead } from '../../domain/routing/what-if.ts';
import { NIL_UUID } from '../../domain/uuid.ts';
import type { AgentView } from '../../domain/webhooks/event-payloads.ts';
import type { Sql } from '../db/database.ts';
import { statement, utcText, type Statement } from '../db/statement.ts';
import {
  absences,
  AGENT_VIEW,
  COUNTS_TODAY,
  datedHours,
  holidays,
  leadsToday,
  OPEN_LEADS,
  readDayStarts,
} from './agents.ts';

const EMPTY: Roster = { agents: [], teams: [] };

export interface LockedRoster {
  roster: Roster;
  /** For events. Not part of the roster, which is stored with the decision. */
  people: ReadonlyMap<string, AgentView>;
  /** Names of pools by id. */
  pools: ReadonlyMap<string, string>;
  /** Decisions have times in the order of their turns. */
  now: Date;
}

interface LockRequest {
  reach: Candidates & { poolIds: readonly string[] };
  /** Locked beside the candidates, since they may lose their leads. */
  owners: readonly string[];
  clock: () => Date;
  undone?: Undone | undefined;
}

/** A request, and the lead for which it is about to revert a transfer: that assignment no longer counts. */
export interface Undone {
  undoneBy: string | null;
  undoneLeadId: string | null;
}

const NOT_UNDONE: Undone = { undoneBy: null, undoneLeadId: null };

export async function lockAndReadRoster(
  sql: Sql,
  { reach, owners, clock, undone }: LockRequest,
): Promise<LockedRoster> {
  const { teamIds, agentIds, poolIds } = reach;
  const isNobody = teamIds.length + agentIds.length === 0;
  const locked = [...agentIds, ...owners];
  const [agents, pools] = await Promise.all([
    teamIds.length + locked.length > 0
      ? sql.all(LOCK_ROSTER, { teamIds, agentIds: locked })
      : ([] as AgentView[]),
    poolIds.length > 0 ? sql.all(READ_POOL_NAMES, { poolIds }) : [],
  ]);
  const now = clock();
  return {
    roster: isNobody ? EMPTY : await readRoster(sql, reach, now, undone),
    people: new Map(agents.map((agent) => [agent.id, agent])),
    pools: new Map(pools.map(({ id, name }) => [id, name])),
    now,
  };
}

/** In one order, so that one decision at a time reads caps and rotation. */
const LOCK_ROSTER = statement<Omit<Candidates, 'byLoad'>, AgentView>('lock_roster')`
select ${AGENT_VIEW} from agents
where id = any (:agentIds::uuid[])
  or id in (select agent_id from team_members where team_id = any (:teamIds::uuid[]))
order by id for no key update`;

const READ_POOL_NAMES = statement<{ poolIds: readonly string[] }, { id: string; name: string }>(
  'read_pool_names',
)`
select id, name from list_entries where id = any (:poolIds::uuid[])`;

export function requireAgent(people: LockedRoster['people'], agentId: string): AgentView {
  const agent = people.get(agentId);
  if (!agent) throw new Error(`Chosen agent ${agentId} not found.`);
  return agent;
}

export async function readRoster(
  sql: Sql,
  candidates: Candidates,
  now: Date,
  undone = NOT_UNDONE,
): Promise<Roster> {
  const dayStarts = await readDayStarts(sql, now);
  return (await sql.first(READ_ROSTER, { ...candidates, ...undone, now, dayStarts })) ?? EMPTY;
}

const agentMembers = (at: string) => `
  'id', g.id, 'active', g.active, 'paused', g.paused_at is not null, 'languages', g.languages,
  'locationIds', g.location_ids, 'category', g.category, 'timeZone', g.time_zone,
  'workingHours', g.working_hours, 'datedHours', ${datedHours(at)}, 'absences', ${absences(at)},
  'dailyCap', g.daily_cap, 'openCap', g.open_cap`;

const NOT_REVERTED = `(:undoneBy::uuid is null or a.lead_id <> :undoneLeadId::uuid
  or not exists (select from hand_overs u where u.id = :undoneBy and u.undoes = a.hand_over_id))`;

const READ_ROSTER = statement<Candidates & Undone & { now: Date; dayStarts: string }, Roster>(
  'read_roster',
)`
with members as (
  select team_id, agent_id, weight, owed_leads, position from team_members where team_id = any (:teamIds::uuid[])),
wanted as (
  select agent_id as id from members union select unnest(:agentIds::uuid[]))
select
  (select coalesce(jsonb_agg(jsonb_build_object(${agentMembers(':now')},
      'assignedToday', case when :byLoad or g.daily_cap is not null then ${leadsToday(NOT_REVERTED)} end,
      'openLeads', case when :byLoad or g.open_cap is not null then ${OPEN_LEADS} end,
      'lastAssignedAt', case when :byLoad then (
         select ${utcText('max(a.decided_at)')} from assignments a where a.agent_id = g.id) end)
      order by g.id), '[]')
   from agents g join wanted using (id)) as agents,
  (select coalesce(jsonb_agg(jsonb_build_object('id', team_id, 'members', members) order by team_id), '[]') from (
    select team_id, jsonb_agg(jsonb_build_object('agentId', agent_id, 'weight', weight, 'credit', owed_leads)
        order by position, agent_id) as members
    from members group by team_id) t) as teams,
  ${holidays(':now')} as holidays`;

/** Active state, caps and hours are of now; stored decisions have the earlier ones (`PastLead.roster`). */
export async function readRosterAt(sql: Sql, at: Date) {
  const dayStarts = await readDayStarts(sql, at);
  const row = await sql.first(READ_ROSTER_AT, { at, dayStarts });
  const { open, ...roster } = row ?? { ...EMPTY, open: [] };
  return { roster, open };
}

/** When lead `l` stopped counting as open; its own column has the last response. */
const FIRST_RESPONSE_AT = `(
  select min(at) from timeline_notes where lead_id = l.id and kind = 'response')`;

/** From an assignment until the first response or the next transfer. Reads the history only of leads that ended since. */
const HELD_SQL = `
with ended as materialized (
  select id as lead_id from leads where agent_responded_at > :at
  union select lead_id from assignments where decided_at > :at),
held as materialized (
  select h.agent_id, h.closed_at from (
    select a.agent_id, a.decided_at, least(${FIRST_RESPONSE_AT},
      lead(a.decided_at) over (partition by a.lead_id order by a.round, a.move)) as closed_at
    from ended join leads l on l.id = ended.lead_id join assignments a on a.lead_id = l.id) h
  where h.agent_id is not null and h.decided_at <= :at and (h.closed_at is null or h.closed_at > :at)
  union all select owner_id, null from leads
  where agent_responded_at is null and owner_id is not null and assigned_at <= :at
    and not exists (select from ended where ended.lead_id = leads.id))`;

/** Credits of a team at that time are in the roster of its first later decision. */
const READ_ROSTER_AT = statement<{ at: Date; dayStarts: string }, Roster & { open: OpenLead[] }>(
  'read_roster_at',
)`
${HELD_SQL},
loads as materialized (select agent_id, count(*) as open_leads from held group by agent_id),
seen as (
  select distinct on (t.team ->> 'id') (t.team ->> 'id')::uuid as team_id, t.team -> 'members' as members
  from assignments a join routing_decisions d on d.assignment_id = a.id,
    jsonb_array_elements(d.roster -> 'teams') as t (team)
  where a.decided_at > :at
  order by t.team ->> 'id', a.decided_at, a.id),
credits as (
  select s.team_id, (m ->> 'agentId')::uuid as agent_id, (m ->> 'credit')::float8 as credit
  from seen s, jsonb_array_elements(s.members) m)
select
  (select coalesce(jsonb_agg(jsonb_build_object(${agentMembers(':at')},
      'assignedToday', ${leadsToday('a.decided_at <= :at')},
      'openLeads', coalesce((select open_leads from loads where agent_id = g.id), 0),
      'lastAssignedAt', (select ${utcText('max(a.decided_at)')}
         from assignments a where a.agent_id = g.id and a.decided_at <= :at)) order by g.id), '[]')
   from agents g) as agents,
  (select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'members', t.members) order by t.id), '[]') from (
    select m.team_id as id, jsonb_agg(jsonb_build_object('agentId', m.agent_id, 'weight', m.weight,
        'credit', case when exists (select from seen s where s.team_id = m.team_id) then c.credit else m.owed_leads end)
        order by m.position, m.agent_id) as members
    from team_members m left join credits c on c.team_id = m.team_id and c.agent_id = m.agent_id
    group by m.team_id) t) as teams,
  ${holidays(':at')} as holidays,
  (select coalesce(jsonb_agg(jsonb_build_object(
      'agentId', agent_id, 'closesAtMs', (extract(epoch from closed_at) * 1000)::bigint)), '[]')
   from held where closed_at is not null) as open`;

export interface DecisionEntry extends StoredDecision {
  id: string;
  leadId: string;
  round: number;
  move: number;
  rulesetVersion: number;
  /** Null if the lead still counts as open for the agent. */
  closedAt: Date | null;
}

const PAGE = 500;

/** In the order of the decisions. */
export function readDecisionsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  return readPages(sql, since, READ_DECISIONS);
}

/** Has the columns of an assignment without a destination. */
export function readWaitsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  return readPages(sql, since, READ_WAITS);
}

type Position = Pick<DecisionEntry, 'id' | 'decidedAt'>;

async function* readPages(
  sql: Sql,
  since: Date,
  page: Statement<Position, DecisionEntry>,
): AsyncGenerator<DecisionEntry> {
  let after: Position = { decidedAt: since, id: NIL_UUID };
  for (;;) {
    const rows = await sql.all(page, after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}

const CLOSED_AT = `least(${FIRST_RESPONSE_AT}, (
     select n.decided_at from assignments n
     where n.lead_id = a.lead_id and (n.round, n.move) > (a.round, a.move)
     order by n.round, n.move limit 1)) as "closedAt"`;

const INPUTS = `d.ruleset_version as "rulesetVersion", d.facts, d.facts_hash as "factsHash", d.roster,
     d.roster_hash as "rosterHash", d.explanation`;

const READ_DECISIONS = statement<Position, DecisionEntry>('read_decisions')`
select a.id, a.decided_at as "decidedAt", a.lead_id as "leadId", a.round, a.move, a.decided_by as "decidedBy",
  a.rule_name as "ruleName", a.status, a.agent_id as "agentId", a.pool_id as "poolId",
  a.follow_up as "followUp", ${CLOSED_AT}, ${INPUTS}
from assignments a join routing_decisions d on d.assignment_id = a.id join leads l on l.id = a.lead_id
where (a.decided_at, a.id) > (:decidedAt, :id) order by a.decided_at, a.id limit ${PAGE}`;

const READ_WAITS = statement<Position, DecisionEntry>('read_waits')`
select d.lead_id as id, d.lead_id as "leadId", d.round, 0 as move, d.decided_at as "decidedAt",
  'rules' as "decidedBy", d.rule_name as "ruleName", 'waiting' as status, null::uuid as "agentId",
  null::uuid as "poolId", null::jsonb as "followUp", null::timestamptz as "closedAt", ${INPUTS}
from lead_waits d
where d.explanation is not null and (d.decided_at, d.lead_id) > (:decidedAt, :id)
order by d.decided_at, d.lead_id limit ${PAGE}`;

/** By a listing, `assignedBy`, a claim or the follow-up, in order. */
export function readGivenLeads(sql: Sql, since: Date): Promise<GivenLead[]> {
  return sql.all(READ_GIVEN_LEADS, { since });
}

const READ_GIVEN_LEADS = statement<{ since: Date }, Required<GivenLead>>('read_given_leads')`
select a.lead_id as "leadId", a.agent_id as "agentId", a.decided_at as at, ${CLOSED_AT},
  ${COUNTS_TODAY} as "isCounted",
  (select coalesce(jsonb_agg(step || jsonb_build_object('teamId', rule #>> '{target,teamId}')), '[]')
   from jsonb_path_query(d.explanation, '$.rules[*] ? (@.selection.by == "weighted_round_robin")') as rule,
     jsonb_array_elements(rule #> '{selection,arithmetic}') as step) as turns
from assignments a join leads l on l.id = a.lead_id
  left join routing_decisions d on d.assignment_id = a.id
where a.decided_at > :since and a.agent_id is not null and a.decided_by <> 'rules'
order by a.decided_at, a.id`;
