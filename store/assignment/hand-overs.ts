import { randomUUID } from 'node:crypto';
import type { HandOver, HandOverTarget, HandedTo } from '../../domain/assignment/hand-over.ts';
import type { Sql } from '../db/database.ts';
import { type NoParams, statement } from '../db/statement.ts';
import { IS_PLACED } from './read-assignment.ts';

interface HandOverRequest extends HandOver {
  id: string;
  author: string;
  reason: string | null;
  leadId: string | null;
  now: Date;
}

/** Inserts a request; false if a different request has this id. The same request again changes nothing. */
export async function insertHandOver(sql: Sql, request: HandOverRequest): Promise<boolean> {
  const { id: handOverId, target, onlyAt, author, reason, leadId, now } = request;
  const inserted = await sql.first(INSERT_HAND_OVER, {
    ...request,
    targetKind: target.kind,
    agentId: target.kind === 'agent' ? target.agentId : null,
    poolId: target.kind === 'pool' ? target.poolId : null,
    onlyStatuses: request.onlyStatuses ?? null,
    onlyRound: onlyAt?.round ?? null,
    onlyMove: onlyAt?.move ?? null,
    onlyUnchangedSince: onlyAt?.updatedAt ?? null,
    undoes: request.undoes ?? null,
    liftsExclusion: request.liftsExclusion ?? false,
  });
  if (!inserted) return false;
  if (reason !== null) {
    const text = { id: randomUUID(), leadId, handOverId, author, text: reason, now };
    await insertOperatorText(sql, text);
  }
  return true;
}

interface HandOverColumns extends Required<Omit<HandOverRequest, 'target' | 'onlyAt' | 'undoes'>> {
  targetKind: HandOverTarget['kind'];
  agentId: string | null;
  poolId: string | null;
  onlyRound: number | null;
  onlyMove: number | null;
  onlyUnchangedSince: string | null;
  undoes: string | null;
}

/** Without the lead's earlier destination: when a command runs again, the lead may be elsewhere. */
const SAME_REQUEST = (
  row: string,
) => `(${row}.target, ${row}.agent_id, ${row}.pool_id, ${row}.released_agent_id,
     ${row}.only_waiting, ${row}.moves_responded, ${row}.moves_personal, ${row}.only_statuses, ${row}.undoes,
     ${row}.lifts_exclusion)`;

const INSERT_HAND_OVER = statement<HandOverColumns, { id: string }>('insert_hand_over')`
insert into hand_overs as h (id, target, agent_id, pool_id, released_agent_id, only_waiting, moves_responded,
  moves_personal, only_statuses, only_round, only_move, only_unchanged_since, undoes, lifts_exclusion, author,
  requested_at)
values (:id, :targetKind, :agentId, :poolId, :releasedAgentId, :onlyWaiting, :movesResponded, :movesPersonal,
  :onlyStatuses, :onlyRound, :onlyMove, :onlyUnchangedSince, :undoes, :liftsExclusion, :author, :now)
on conflict (id) do update set id = excluded.id
where ${SAME_REQUEST('h')} is not distinct from ${SAME_REQUEST('excluded')} returning id`;

/** Marks the transfer that this request reverts as reverted for the lead. */
export async function markUndone(sql: Sql, id: string, leadId: string): Promise<void> {
  await sql.all(MARK_UNDONE, { id, leadId });
}

const MARK_UNDONE = statement<{ id: string; leadId: string }>('mark_undone')`
update hand_overs set undone_lead_id = :leadId where id = :id`;

interface Placed {
  agentId: string | null;
  poolId: string | null;
  /** The lead went back to the rules and is queued for an agent. */
  isWaiting: boolean;
}

export async function readRequestedAt(sql: Sql, id: string): Promise<Date | null> {
  return (await sql.first(READ_REQUESTED_AT, { id }))?.requestedAt ?? null;
}

const READ_REQUESTED_AT = statement<{ id: string }, { requestedAt: Date }>('read_requested_at')`
select requested_at as "requestedAt" from hand_overs where id = :id`;

export async function readHandOver(sql: Sql, id: string, leadId: string) {
  const row = await sql.first(READ_HAND_OVER, { id, leadId });
  if (!row) return null;
  const { target, agentId, poolId, round, move, unchangedSince, ...rest } = row;
  const { movedBy, toAgent, toPool, isWaiting, ...terms } = rest;
  const updatedAt = unchangedSince?.toISOString() ?? null;
  const handOver: HandOver = {
    ...terms,
    target: { kind: target, agentId, poolId } as HandOverTarget,
    onlyAt: round === null || move === null ? null : { round, move, updatedAt },
  };
  const isMoved = isWaiting || movedBy !== null;
  const outcome = isMoved ? destinationFrom({ agentId: toAgent, poolId: toPool, isWaiting }) : null;
  return { handOver, outcome };
}

interface HandOverRow extends Omit<HandOver, 'target' | 'onlyAt'> {
  target: HandOverTarget['kind'];
  agentId: string | null;
  poolId: string | null;
  round: number | null;
  move: number | null;
  unchangedSince: Date | null;
  movedBy: string | null;
  toAgent: string | null;
  toPool: string | null;
  isWaiting: boolean;
}

const READ_HAND_OVER = statement<{ id: string; leadId: string }, HandOverRow>('read_hand_over')`
select h.target, h.agent_id as "agentId", h.pool_id as "poolId", h.only_round as round, h.only_move as move,
  h.only_unchanged_since as "unchangedSince", h.released_agent_id as "releasedAgentId",
  h.only_waiting as "onlyWaiting", h.moves_responded as "movesResponded", h.moves_personal as "movesPersonal",
  h.only_statuses as "onlyStatuses", h.undoes, h.lifts_exclusion as "liftsExclusion",
  a.id as "movedBy", a.agent_id as "toAgent", a.pool_id as "toPool",
  exists (select from lead_waits w where w.hand_over_id = h.id and w.lead_id = :leadId) as "isWaiting"
from hand_overs h left join assignments a on a.hand_over_id = h.id and a.lead_id = :leadId
where h.id = :id`;

function destinationFrom({ agentId, poolId, isWaiting }: Placed): HandedTo {
  if (isWaiting) return { kind: 'waiting' };
  if (agentId !== null) return { kind: 'agent', agentId };
  return poolId === null ? { kind: 'nobody' } : { kind: 'pool', poolId };
}

export interface Release extends Pick<HandOver, 'onlyWaiting' | 'movesResponded'> {
  agentId: string;
}

export function readReleasable(sql: Sql, release: Release) {
  return sql.all(READ_RELEASABLE, release);
}

const READ_RELEASABLE = statement<Release, { id: string; isResponded: boolean }>('read_releasable')`
select id, agent_responded_at is not null as "isResponded" from leads
where owner_id = :agentId and not is_personal and (:movesResponded::boolean or agent_responded_at is null)
  and (not :onlyWaiting::boolean or follow_up_due_at is not null)
order by created_at, id`;

export interface InactiveHolder {
  email: string;
  leads: number;
}

/** Inactive agents, with the number of leads that a release would move from each. */
export function readInactiveHolders(sql: Sql): Promise<InactiveHolder[]> {
  return sql.all(READ_INACTIVE_HOLDERS, {});
}

const READ_INACTIVE_HOLDERS = statement<NoParams, InactiveHolder>('read_inactive_holders')`
select g.email, held.leads from agents g cross join lateral (
  select count(*) as leads from leads
  where owner_id = g.id and agent_responded_at is null and not is_personal) held
where not g.active and held.leads > 0 order by g.email`;

export type Moved = Awaited<ReturnType<typeof countMoved>>[number];

export async function countMoved(sql: Sql, id: string) {
  const rows = await sql.all(COUNT_MOVED, { id });
  return rows.map(({ leads, ...outcome }) => ({ to: destinationFrom(outcome), leads }));
}

const COUNT_MOVED = statement<{ id: string }, Placed & { leads: number }>('count_moved')`
select "agentId", "poolId", "isWaiting", count(*) as leads from (
  select a.agent_id as "agentId", a.pool_id as "poolId", false as "isWaiting"
  from assignments a where a.hand_over_id = :id and ${IS_PLACED}
  union all select null, null, true
  from (select distinct lead_id, round from lead_waits where hand_over_id = :id) waits) moved
group by "agentId", "poolId", "isWaiting" order by leads desc, "agentId", "poolId"`;

export interface Left {
  reason: 'personal' | 'responded' | 'no_clock' | 'still_held';
  leads: number;
}

/** Uses the agent's assignments, because no index has leads with a response by owner. */
export function countLeft(sql: Sql, release: Release): Promise<Left[]> {
  return sql.all(COUNT_LEFT, release);
}

const COUNT_LEFT = statement<Release, Left>('count_left')`
select case
  when agent_responded_at is not null and not :movesResponded::boolean then 'responded'
  when is_personal then 'personal'
  when :onlyWaiting::boolean and follow_up_due_at is null then 'no_clock'
  else 'still_held' end as reason, count(*) as leads
from leads where owner_id = :agentId and id in (select lead_id from assignments where agent_id = :agentId)
group by reason order by leads desc`;

export interface OperatorText {
  id: string;
  leadId: string | null;
  handOverId: string | null;
  author: string;
  text: string;
  now: Date;
}

/** False if it was not stored: a request keeps its first text, and an erased lead gets none. */
export async function insertOperatorText(sql: Sql, text: OperatorText): Promise<boolean> {
  return (await sql.first(INSERT_OPERATOR_TEXT, text)) !== null;
}

const INSERT_OPERATOR_TEXT = statement<OperatorText, { id: string }>('insert_operator_text')`
insert into operator_texts (id, lead_id, hand_over_id, author, written_at, text)
select :id::uuid, :leadId::uuid, :handOverId::uuid, :author, :now::timestamptz, :text
where :leadId::uuid is null or exists (
  select from leads where id = :leadId and erased_at is null for share)
on conflict (hand_over_id) do nothing returning id`;

export type OperatorNote = Pick<OperatorText, 'author' | 'text'> & { at: Date };

/** Without the reasons of requests. Oldest first. */
export function readOperatorNotes(sql: Sql, leadId: string): Promise<OperatorNote[]> {
  return sql.all(READ_OPERATOR_NOTES, { leadId });
}

const READ_OPERATOR_NOTES = statement<{ leadId: string }, OperatorNote>('read_operator_notes')`
select written_at as at, author, text from operator_texts
where lead_id = :leadId and hand_over_id is null order by written_at, id`;
