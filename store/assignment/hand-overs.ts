import { randomUUID } from 'node:crypto';
import type { HandedTo, HandOver, HandOverTarget } from '../../domain/assignment/hand-over.ts';
import type { Sql } from '../db/database.ts';
import { IS_END_BEFORE_WAIT } from '../leads/waiting-leads.ts';

interface HandOverRequest extends HandOver {
  id: string;
  author: string;
  reason: string | null;
  /** The lead that the reason is about; null for a release. */
  leadId: string | null;
  now: Date;
}

/** Inserts a request; false where a different request has this id. The same request again changes nothing. */
export async function insertHandOver(
  sql: Sql,
  { target, reason, leadId, onlyAt = null, ...request }: HandOverRequest,
): Promise<boolean> {
  const agentId = target.kind === 'agent' ? target.agentId : null;
  const poolId = target.kind === 'pool' ? target.poolId : null;
  const { round = null, move = null, updatedAt = null } = onlyAt ?? {};
  const only = { onlyRound: round, onlyMove: move, onlyUnchangedSince: updatedAt };
  const values = { ...UNSAID, ...request, ...only, target: target.kind, agentId, poolId };
  const isKept = (await sql.query(INSERT_HAND_OVER_SQL, values)).length > 0;
  const { id: handOverId, author, now } = request;
  if (isKept && reason !== null)
    await insertOperatorText(sql, {
      id: randomUUID(),
      leadId,
      handOverId,
      author,
      text: reason,
      now,
    });
  return isKept;
}

const UNSAID = { onlyStatuses: null, undoes: null, liftsExclusion: false };

/**
 * The columns in which the same request agrees. The lead's earlier place is not among them: a command that runs again
 * sees the lead elsewhere.
 */
const asked = (row: string) =>
  [
    'target',
    'agent_id',
    'pool_id',
    'released_agent_id',
    'only_waiting',
    'moves_responded',
    'moves_personal',
    'only_statuses',
    'undoes',
    'lifts_exclusion',
  ]
    .map((column) => `${row}.${column}`)
    .join(', ');

const INSERT_HAND_OVER_SQL = `
insert into hand_overs as h (id, target, agent_id, pool_id, released_agent_id, only_waiting, moves_responded, moves_personal,
  only_statuses, only_round, only_move, only_unchanged_since, undoes, lifts_exclusion, author, requested_at)
values (:id, :target, :agentId, :poolId, :releasedAgentId, :onlyWaiting, :movesResponded, :movesPersonal,
  :onlyStatuses::text[], :onlyRound::int, :onlyMove::int, :onlyUnchangedSince::timestamptz, :undoes::uuid, :liftsExclusion, :author, :now)
on conflict (id) do update set id = excluded.id where (${asked('h')}) is not distinct from (${asked('excluded')})
returning id`;

/** What an operator wrote about a lead, or about a request that moves leads. */
export interface OperatorText {
  id: string;
  /** The lead that the text is about; null for a request that moves several. */
  leadId: string | null;
  handOverId: string | null;
  author: string;
  text: string;
  now: Date;
}

/**
 * Inserts a text; false if it was not kept. The first text of a request stays. The statement waits for an erasure under way,
 * since an erased lead gets no text.
 */
export async function insertOperatorText(sql: Sql, text: OperatorText): Promise<boolean> {
  return (await sql.query(INSERT_TEXT_SQL, { ...text })).length > 0;
}

export interface OperatorNote {
  at: Date;
  author: string;
  text: string;
}

/** What operators wrote about a lead beside the reasons of their requests, the oldest first. */
export function readOperatorNotes(sql: Sql, leadId: string): Promise<OperatorNote[]> {
  return sql.query<OperatorNote>(
    `select written_at as at, author, text from operator_texts
     where lead_id = :leadId and hand_over_id is null order by written_at, id`,
    { leadId },
  );
}

const INSERT_TEXT_SQL = `
insert into operator_texts (id, lead_id, hand_over_id, author, written_at, text)
select :id::uuid, :leadId::uuid, :handOverId::uuid, :author::text, :now::timestamptz, :text::text
where :leadId::uuid is null or exists (select from leads where id = :leadId and erased_at is null for share)
on conflict (hand_over_id) do nothing returning id`;

/** Marks the hand-over that this one takes back as undone for the lead; `leadId` null: no longer. */
export async function markUndone(sql: Sql, id: string, leadId: string | null): Promise<void> {
  await sql.query(`update hand_overs set undone_lead_id = :leadId where id = :id`, { id, leadId });
}

interface Placed {
  agentId: string | null;
  poolId: string | null;
  /** Sent back to the rules, it waits for an agent. */
  isWaiting?: boolean;
}

interface Row extends Omit<HandOver, 'target'> {
  target: HandOverTarget['kind'];
  agentId: string | null;
  poolId: string | null;
  /** The lead's destination; null: not moved yet. */
  outcome: Placed | null;
}

/** Reads a request and its outcome for one lead. */
export async function readHandOver(sql: Sql, id: string, leadId: string) {
  const row = await sql.queryOne<Row>(HAND_OVER_SQL, { id, leadId });
  if (!row) return null;
  const { outcome, target, agentId, poolId, ...handOver } = row;
  return {
    handOver: { ...handOver, target: { kind: target, agentId, poolId } as HandOverTarget },
    outcome: outcome && destinationFrom(outcome),
  };
}

const HAND_OVER_SQL = `
select target, agent_id as "agentId", pool_id as "poolId", released_agent_id as "releasedAgentId",
  only_waiting as "onlyWaiting", moves_responded as "movesResponded", moves_personal as "movesPersonal",
  only_statuses as "onlyStatuses",
  case when only_round is not null then jsonb_build_object('round', only_round, 'move', only_move, 'updatedAt', only_unchanged_since) end as "onlyAt",
  undoes, lifts_exclusion as "liftsExclusion",
  coalesce(
    (select jsonb_build_object('isWaiting', true) from lead_waits w
     where w.hand_over_id = h.id and w.lead_id = :leadId limit 1),
    (select jsonb_build_object('agentId', a.agent_id, 'poolId', a.pool_id)
     from assignments a where a.hand_over_id = h.id and a.lead_id = :leadId)) as outcome
from hand_overs h where id = :id`;

function destinationFrom({ agentId, poolId, isWaiting }: Placed): HandedTo {
  if (isWaiting) return { kind: 'waiting' };
  if (agentId !== null) return { kind: 'agent', agentId };
  return poolId === null ? { kind: 'nobody' } : { kind: 'pool', poolId };
}

/** Takes leads from an agent, of all that the agent holds. */
export interface Release extends Pick<HandOver, 'onlyWaiting' | 'movesResponded'> {
  agentId: string;
}

/** The leads that a release moves, oldest first. */
export function readReleasable(sql: Sql, release: Release) {
  return sql.query<{ id: string; isResponded: boolean }>(
    `select id, agent_responded_at is not null as "isResponded" from leads
     where owner_id = :agentId and (agent_responded_at is null or :movesResponded) and not is_personal
       and (not :onlyWaiting or follow_up_due_at is not null)
     order by assigned_at, id`,
    release,
  );
}

export interface InactiveHolder {
  email: string;
  leads: number;
}

/** Agents who are not active, with how many leads a release would take from each. */
export function readInactiveHolders(sql: Sql): Promise<InactiveHolder[]> {
  return sql.query<InactiveHolder>(
    `select g.email, held.leads from agents g cross join lateral (
       select count(*) as leads from leads
       where owner_id = g.id and agent_responded_at is null and not is_personal) held
     where not g.active and held.leads > 0 order by g.email`,
  );
}

export interface Moved {
  to: HandedTo;
  leads: number;
}

/** Counts the leads of a request by destination, over all its runs. */
export async function countMoved(sql: Sql, id: string): Promise<Moved[]> {
  const rows = await sql.query<Placed & { leads: number }>(
    `select "agentId", "poolId", "isWaiting", count(*) as leads from (
       select agent_id as "agentId", pool_id as "poolId", false as "isWaiting" from assignments a
       where hand_over_id = :id and not ${IS_END_BEFORE_WAIT}
       union all
       select null, null, true from (
         select distinct lead_id, round from lead_waits where hand_over_id = :id) waits) moved
     group by 1, 2, 3 order by 4 desc, 1, 2`,
    { id },
  );
  return rows.map(({ leads, ...outcome }) => ({ to: destinationFrom(outcome), leads }));
}

export interface Left {
  reason: 'personal' | 'responded' | 'no_clock' | 'still_held';
  leads: number;
}

/** Counts the leads that a release leaves with the agent, by reason. */
export function countLeft(sql: Sql, release: Release): Promise<Left[]> {
  return sql.query<Left>(COUNT_LEFT_SQL, release);
}

/** Finds the leads by the agent's assignments, since no index has leads with a response by their owner. */
const COUNT_LEFT_SQL = `
select case when agent_responded_at is not null and not :movesResponded then 'responded' when is_personal then 'personal'
    when :onlyWaiting and follow_up_due_at is null then 'no_clock' else 'still_held' end as reason,
  count(*) as leads
from leads
where owner_id = :agentId and id in (select lead_id from assignments where agent_id = :agentId)
group by 1 order by 2 desc`;

/** One change of where a lead is. */
export interface PlaceChange {
  round: number;
  move: number;
  status: 'assigned' | 'unassigned' | 'pool' | 'waiting';
  agentId: string | null;
  poolId: string | null;
  decidedBy: string;
  decidedAt: Date;
  /** Null: no operator handed it over. */
  handOver: { id: string; author: string; isUndo: boolean } | null;
}

export interface LastChanges {
  /** The lead's present round and move. A round without a change of its own began with new details. */
  round: number;
  move: number;
  isPersonal: boolean;
  isResponded: boolean;
  updatedAt: Date;
  respondedAt: Date | null;
  /** When an integrator last sent something about it. */
  enquiredAt: Date;
  /**
   * The newest first, with the last wait of each round. A wait has the time of the operator's request, not of the last
   * decision.
   */
  changes: PlaceChange[];
}

/** Reads the last two changes of a lead's place; null where the lead does not exist. */
export function readLastChanges(sql: Sql, leadId: string): Promise<LastChanges | null> {
  return sql.queryOne<LastChanges>(LAST_CHANGES_SQL, { leadId });
}

const HAND_OVER = `case when h.id is not null then
  jsonb_build_object('id', h.id, 'author', h.author, 'isUndo', h.undoes is not null) end as "handOver"`;

const LAST_CHANGES_SQL = `
select l.round, l.moves as move, l.is_personal as "isPersonal", l.updated_at as "updatedAt",
  l.agent_responded_at is not null as "isResponded", l.agent_responded_at as "respondedAt",
  (select max(received_at) from submissions where lead_id = l.id) as "enquiredAt",
  (select coalesce(jsonb_agg(to_jsonb(c) order by c.round desc, c.move desc, c."decidedAt" desc), '[]') from (
    select * from (
      select a.round, a.move, a.status, a.agent_id as "agentId", a.pool_id as "poolId", a.decided_by as "decidedBy",
        a.decided_at as "decidedAt", ${HAND_OVER}
      from assignments a left join hand_overs h on h.id = a.hand_over_id
      where a.lead_id = l.id and not ${IS_END_BEFORE_WAIT}
      union all
      select distinct on (w.round) w.round, 0, 'waiting', null, null,
        case when w.hand_over_id is null then 'rules' else 'operator' end, coalesce(h.requested_at, w.decided_at), ${HAND_OVER}
      from lead_waits w left join hand_overs h on h.id = w.hand_over_id
      where w.lead_id = l.id order by 1 desc, 2 desc, 7 desc) every
    order by round desc, move desc, "decidedAt" desc limit 2) c) as changes
from leads l where l.id = :leadId`;
