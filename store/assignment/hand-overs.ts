import type { HandedTo, HandOver, HandOverTarget } from '../../domain/assignment/hand-over.ts';
import { randomUUID } from 'node:crypto';
import type { Sql } from '../db/database.ts';
import { insertOperatorText } from '../leads/operator-texts.ts';

export interface HandOverRequest extends HandOver {
  id: string;
  author: string;
  reason: string | null;
  /** The lead that the reason is about; null for a release. */
  leadId: string | null;
  now: Date;
}

/** False when another request has this id. The same one again changes nothing. */
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

/** What makes a request another one. Where the lead was is not asked: a command that runs again sees it elsewhere. */
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

/** From here on the hand-over that it takes back counts for nothing; `leadId` null: it counts again. */
export async function markUndone(sql: Sql, id: string, leadId: string | null): Promise<void> {
  await sql.query(`update hand_overs set undone_lead_id = :leadId where id = :id`, { id, leadId });
}

export interface Placed {
  agentId: string | null;
  poolId: string | null;
  /** Sent back to the rules, it waits for an agent. */
  isWaiting?: boolean;
}

interface Row extends Omit<HandOver, 'target'> {
  target: HandOverTarget['kind'];
  agentId: string | null;
  poolId: string | null;
  /** Where it brought the lead; null: nowhere yet. */
  outcome: Placed | null;
}

/** A request and what came of it for one lead. */
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

export function destinationFrom({ agentId, poolId, isWaiting }: Placed): HandedTo {
  if (isWaiting) return { kind: 'waiting' };
  if (agentId !== null) return { kind: 'agent', agentId };
  return poolId === null ? { kind: 'nobody' } : { kind: 'pool', poolId };
}
