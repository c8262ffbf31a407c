import { randomUUID } from 'node:crypto';
import type { NotNull } from 'kysely';
import type { AssignmentStatus } from '../../domain/assignment/assignment-event.ts';
import type { HandedTo, HandOver, HandOverTarget } from '../../domain/assignment/hand-over.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
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

/**
 * The columns in which the same request agrees. The lead's earlier place is not among them: a command that runs again
 * sees the lead elsewhere.
 */
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
export async function insertOperatorText(
  { tables, run }: Sql,
  { leadId, ...text }: OperatorText,
): Promise<boolean> {
  const row = tables.selectNoFrom(({ cast, val }) => [
    cast<string>(val(text.id), 'uuid').as('id'),
    cast<string | null>(val(leadId), 'uuid').as('lead_id'),
    cast<string | null>(val(text.handOverId), 'uuid').as('hand_over_id'),
    cast<string>(val(text.author), 'text').as('author'),
    cast<Date>(val(text.now), 'timestamptz').as('written_at'),
    cast<string>(val(text.text), 'text').as('text'),
  ]);
  const lead = tables.selectFrom('leads').where('erased_at', 'is', null).forShare();
  const kept = tables
    .insertInto('operator_texts')
    .columns(['id', 'lead_id', 'hand_over_id', 'author', 'written_at', 'text'])
    .expression(
      leadId === null ? row : row.where(({ exists }) => exists(lead.where('id', '=', leadId))),
    )
    .onConflict((conflict) => conflict.column('hand_over_id').doNothing());
  return (await run(kept.returning('id'))).length > 0;
}

export type OperatorNote = Awaited<ReturnType<typeof readOperatorNotes>>[number];

/** What operators wrote about a lead beside the reasons of their requests, the oldest first. */
export function readOperatorNotes({ tables, run }: Sql, leadId: string) {
  return run(
    tables
      .selectFrom('operator_texts')
      .select(['written_at as at', 'author', 'text'])
      .where('lead_id', '=', leadId)
      .where('hand_over_id', 'is', null)
      .orderBy('written_at')
      .orderBy('id'),
  );
}

/** Marks the hand-over that this one takes back as undone for the lead; `leadId` null: no longer. */
export async function markUndone(
  { tables, run }: Sql,
  id: string,
  leadId: string | null,
): Promise<void> {
  await run(tables.updateTable('hand_overs').set({ undone_lead_id: leadId }).where('id', '=', id));
}

interface Placed {
  agentId: string | null;
  poolId: string | null;
  /** Sent back to the rules, it waits for an agent. */
  isWaiting: boolean;
}

/** Reads when a request was first made; null: never. */
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

/** The leads that a release moves, oldest first. */
export function readReleasable(
  { tables, run }: Sql,
  { agentId, movesResponded, onlyWaiting }: Release,
): Promise<{ id: string; isResponded: boolean }[]> {
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
  return run(released.orderBy('assigned_at').orderBy('id'));
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

export interface Moved {
  to: HandedTo;
  leads: number;
}

/** Counts the leads of a request by destination, over all its runs. */
export async function countMoved(sql: Sql, id: string): Promise<Moved[]> {
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

/** Whether entry `a` of a lead's history is the outcome of a request, rather than the wait that followed it. */
const isPlaced = ({ fragment }: Sql) => fragment<boolean>`not ${fragment.raw(IS_END_BEFORE_WAIT)}`;

export interface Left {
  reason: 'personal' | 'responded' | 'no_clock' | 'still_held';
  leads: number;
}

/**
 * Counts the leads that a release leaves with the agent, by reason. Finds them by the agent's assignments, since no index
 * has leads with a response by their owner.
 */
export function countLeft(
  { tables, fragment, run }: Sql,
  { agentId, movesResponded, onlyWaiting }: Release,
): Promise<Left[]> {
  const reason = fragment<Left['reason']>`case
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

export type LastChanges = NonNullable<Awaited<ReturnType<typeof readLastChanges>>>;

/**
 * Reads the lead's present round and move with the last two changes of its place; null where the lead does not exist. A
 * round without a change of its own began with new details. An integrator last sent something about it at `enquiredAt`.
 */
export function readLastChanges(database: Database, leadId: string) {
  return database.transaction(async (sql) => {
    const submissions = sql.tables.selectFrom('submissions').where('lead_id', '=', leadId);
    const leads = sql.tables
      .selectFrom('leads')
      .select(['round', 'moves as move', 'is_personal as isPersonal', 'updated_at as updatedAt'])
      .select('agent_responded_at as respondedAt')
      .select(submissions.select(({ fn }) => fn.max('received_at').as('at')).as('enquiredAt'))
      .where('id', '=', leadId)
      .$narrowType<{ enquiredAt: NotNull }>();
    const [lead] = await sql.run(leads);
    if (!lead) return null;
    const changes = await readPlaceChanges(sql, leadId);
    return { ...lead, isResponded: lead.respondedAt !== null, changes };
  }, SNAPSHOT);
}

/** The newest first, with the last wait of each round, at the time of the operator's request and not of the last decision. */
async function readPlaceChanges(sql: Sql, leadId: string): Promise<PlaceChange[]> {
  const { tables, fragment, run } = sql;
  const decidedBy = fragment<string>`case when w.hand_over_id is null then 'rules' else 'operator' end`;
  const handOver = ['h.id as handOverId', 'h.author', 'h.undoes'] as const;
  const waits = tables
    .selectFrom('lead_waits as w')
    .leftJoin('hand_overs as h', 'h.id', 'w.hand_over_id')
    .distinctOn('w.round')
    .select(({ fn, lit }) => [
      'w.round',
      lit(0).as('move'),
      fragment<'waiting'>`'waiting'`.as('status'),
      lit(null).as('agentId'),
      lit(null).as('poolId'),
      decidedBy.as('decidedBy'),
      fn.coalesce('h.requested_at', 'w.decided_at').as('decidedAt'),
    ])
    .select(handOver)
    .where('w.lead_id', '=', leadId)
    .orderBy('w.round', 'desc')
    .orderBy('decidedAt', 'desc');
  const changes = tables
    .selectFrom('assignments as a')
    .leftJoin('hand_overs as h', 'h.id', 'a.hand_over_id')
    .select(['a.round', 'a.move', fragment.ref<PlaceChange['status']>('a.status').as('status')])
    .select(['a.agent_id as agentId', 'a.pool_id as poolId'])
    .select([fragment.ref<string>('a.decided_by').as('decidedBy'), 'a.decided_at as decidedAt'])
    .select(handOver)
    .where('a.lead_id', '=', leadId)
    .where(isPlaced(sql))
    .unionAll(({ parens }) => parens(waits))
    .orderBy('round', 'desc')
    .orderBy('move', 'desc')
    .orderBy('decidedAt', 'desc')
    .limit(2);
  const rows = await run(changes);
  return rows.map(({ handOverId, author, undoes, ...change }) => ({
    ...change,
    handOver:
      handOverId === null || author === null
        ? null
        : { id: handOverId, author, isUndo: undoes !== null },
  }));
}
