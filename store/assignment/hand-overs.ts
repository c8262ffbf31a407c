import { randomUUID } from 'node:crypto';
import type { AssignmentStatus } from '../../domain/assignment/assignment-event.ts';
import type { HandedTo, HandOver, HandOverTarget } from '../../domain/assignment/hand-over.ts';
import type { Sql } from '../db/database.ts';
import { insertOperatorText } from './operator-texts.ts';
import { isPlaced } from './place-changes.ts';

interface HandOverRequest extends HandOver {
  id: string;
  author: string;
  reason: string | null;
  leadId: string | null;
  now: Date;
}

/** Inserts a request; false where a different request has this id. The same request again changes nothing. */
export async function insertHandOver(sql: Sql, request: HandOverRequest): Promise<boolean> {
  const { id: handOverId, target, onlyStatuses, onlyAt, author, reason, leadId, now } = request;
  const inserted = sql.tables.insertInto('hand_overs').values({
    id: handOverId,
    target: target.kind,
    agent_id: target.kind === 'agent' ? target.agentId : null,
    pool_id: target.kind === 'pool' ? target.poolId : null,
    released_agent_id: request.releasedAgentId,
    only_waiting: request.onlyWaiting,
    moves_responded: request.movesResponded,
    moves_personal: request.movesPersonal,
    only_statuses: onlyStatuses ? [...onlyStatuses] : null,
    only_round: onlyAt?.round ?? null,
    only_move: onlyAt?.move ?? null,
    only_unchanged_since: onlyAt?.updatedAt ? new Date(onlyAt.updatedAt) : null,
    undoes: request.undoes ?? null,
    lifts_exclusion: request.liftsExclusion ?? false,
    author,
    requested_at: now,
  });
  const kept = inserted.onConflict((conflict) =>
    conflict
      .column('id')
      .doUpdateSet(({ ref }) => ({ id: ref('excluded.id') }))
      .where(({ and, eb, ref }) =>
        and(
          ASKED.map((column) =>
            eb(`hand_overs.${column}`, 'is not distinct from', ref(`excluded.${column}`)),
          ),
        ),
      ),
  );
  if ((await sql.run(kept.returning('id'))).length === 0) return false;
  if (reason !== null) {
    const text = { id: randomUUID(), leadId, handOverId, author, text: reason, now };
    await insertOperatorText(sql, text);
  }
  return true;
}

/** Without the lead's earlier place: a command that runs again sees the lead elsewhere. */
const ASKED = [
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
] as const;

/** Marks the hand-over that this one takes back as undone for the lead; `leadId` null: no longer. */
export async function markUndone({ tables, run }: Sql, id: string, leadId: string | null) {
  await run(tables.updateTable('hand_overs').set({ undone_lead_id: leadId }).where('id', '=', id));
}

interface Placed {
  agentId: string | null;
  poolId: string | null;
  /** Sent back to the rules, it waits for an agent. */
  isWaiting: boolean;
}

export async function readRequestedAt({ tables, run }: Sql, id: string): Promise<Date | null> {
  const request = tables.selectFrom('hand_overs').where('id', '=', id);
  const [row] = await run(request.select('requested_at as requestedAt'));
  return row?.requestedAt ?? null;
}

/** Reads a request and its outcome for one lead; `outcome` null: the lead is not moved yet. */
export async function readHandOver({ tables, run }: Sql, id: string, leadId: string) {
  const [row] = await run(
    tables
      .selectFrom('hand_overs as h')
      .leftJoin('assignments as a', (join) =>
        join.onRef('a.hand_over_id', '=', 'h.id').on('a.lead_id', '=', leadId),
      )
      .select(['h.target', 'h.agent_id as agentId', 'h.pool_id as poolId'])
      .select(['h.only_round as round', 'h.only_move as move'])
      .select('h.only_unchanged_since as unchangedSince')
      .select(['h.released_agent_id as releasedAgentId', 'h.only_waiting as onlyWaiting'])
      .select(['h.moves_responded as movesResponded', 'h.moves_personal as movesPersonal'])
      .select(['h.only_statuses as onlyStatuses', 'h.undoes'])
      .select('h.lifts_exclusion as liftsExclusion')
      .select(['a.id as movedBy', 'a.agent_id as toAgent', 'a.pool_id as toPool'])
      .select(({ exists, selectFrom }) => {
        const waits = selectFrom('lead_waits as w').whereRef('w.hand_over_id', '=', 'h.id');
        return exists(waits.where('w.lead_id', '=', leadId))
          .$castTo<boolean>()
          .as('isWaiting');
      })
      .where('h.id', '=', id)
      .$narrowType<{ onlyStatuses: AssignmentStatus[] | null }>(),
  );
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

function destinationFrom({ agentId, poolId, isWaiting }: Placed): HandedTo {
  if (isWaiting) return { kind: 'waiting' };
  if (agentId !== null) return { kind: 'agent', agentId };
  return poolId === null ? { kind: 'nobody' } : { kind: 'pool', poolId };
}

/** Takes leads from an agent, of all that the agent holds. */
export interface Release extends Pick<HandOver, 'onlyWaiting' | 'movesResponded'> {
  agentId: string;
}

/** The leads that a release moves, the oldest enquiry first. */
export function readReleasable(
  { tables, run }: Sql,
  { agentId, movesResponded, onlyWaiting }: Release,
) {
  let leads = tables
    .selectFrom('leads')
    .where('owner_id', '=', agentId)
    .where('is_personal', '=', false);
  if (!movesResponded) leads = leads.where('agent_responded_at', 'is', null);
  if (onlyWaiting) leads = leads.where('follow_up_due_at', 'is not', null);
  const released = leads.select(({ eb }) => [
    'id',
    eb('agent_responded_at', 'is not', null).$castTo<boolean>().as('isResponded'),
  ]);
  return run(released.orderBy('created_at').orderBy('id'));
}

export type InactiveHolder = Awaited<ReturnType<typeof readInactiveHolders>>[number];

/** Agents who are not active, with how many leads a release would take from each. */
export function readInactiveHolders({ tables, run }: Sql) {
  return run(
    tables
      .selectFrom('agents as g')
      .innerJoinLateral(
        ({ selectFrom }) =>
          selectFrom('leads')
            .select(({ fn }) => fn.countAll<number>().as('leads'))
            .whereRef('owner_id', '=', 'g.id')
            .where('agent_responded_at', 'is', null)
            .where('is_personal', '=', false)
            .as('held'),
        (join) => join.onTrue(),
      )
      .select(['g.email', 'held.leads'])
      .where('g.active', '=', false)
      .where('held.leads', '>', 0)
      .orderBy('g.email'),
  );
}

export type Moved = Awaited<ReturnType<typeof countMoved>>[number];

/** Counts the leads of a request by destination, over all its runs. */
export async function countMoved(sql: Sql, id: string) {
  const { tables, fragment, run } = sql;
  const rounds = tables.selectFrom('lead_waits').select(['lead_id', 'round']).distinct();
  const waiting = tables
    .selectFrom(rounds.where('hand_over_id', '=', id).as('waits'))
    .select(({ lit }) => [lit(null).as('agentId'), lit(null).as('poolId')])
    .select(fragment<boolean>`true`.as('isWaiting'));
  const moved = tables
    .selectFrom('assignments as a')
    .select(['a.agent_id as agentId', 'a.pool_id as poolId'])
    .select(fragment<boolean>`false`.as('isWaiting'))
    .where('a.hand_over_id', '=', id)
    .where(isPlaced(sql))
    .unionAll(waiting);
  const counted = tables
    .selectFrom(moved.as('moved'))
    .select(({ fn }) => ['agentId', 'poolId', 'isWaiting', fn.countAll<number>().as('leads')])
    .groupBy(['agentId', 'poolId', 'isWaiting'])
    .orderBy('leads', 'desc')
    .orderBy('agentId')
    .orderBy('poolId');
  const rows = await run(counted);
  return rows.map(({ leads, ...outcome }) => ({ to: destinationFrom(outcome), leads }));
}

export type Left = Awaited<ReturnType<typeof countLeft>>[number];

/** Reads the agent's assignments, since no index has leads with a response by their owner. */
export function countLeft(
  { tables, fragment, run }: Sql,
  { agentId, movesResponded, onlyWaiting }: Release,
) {
  const reason = fragment<'personal' | 'responded' | 'no_clock' | 'still_held'>`case
    when agent_responded_at is not null and not ${movesResponded}::boolean then 'responded'
    when is_personal then 'personal'
    when ${onlyWaiting}::boolean and follow_up_due_at is null then 'no_clock'
    else 'still_held' end`;
  const assigned = tables.selectFrom('assignments').select('lead_id');
  return run(
    tables
      .selectFrom('leads')
      .select(({ fn }) => [reason.as('reason'), fn.countAll<number>().as('leads')])
      .where('owner_id', '=', agentId)
      .where('id', 'in', assigned.where('agent_id', '=', agentId))
      .groupBy('reason')
      .orderBy('leads', 'desc'),
  );
}
