import type { NotNull } from 'kysely';
import type { AssignmentStatus } from '../../domain/assignment/assignment-event.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import { IS_END_BEFORE_WAIT } from '../leads/waiting-leads.ts';

export type LastChanges = NonNullable<Awaited<ReturnType<typeof readLastChanges>>>;
export type PlaceChange = LastChanges['changes'][number];

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

type PlaceStatus = Exclude<AssignmentStatus, 'pending'> | 'waiting';

/** Whether entry `a` of a lead's history is the outcome of a request, rather than the wait that followed it. */
export const isPlaced = ({ fragment }: Sql) =>
  fragment<boolean>`not ${fragment.raw(IS_END_BEFORE_WAIT)}`;

/** The newest first, with the last wait of each round, at the time of the operator's request and not of the last decision. */
async function readPlaceChanges(sql: Sql, leadId: string) {
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
    .select(['a.round', 'a.move', fragment.ref<PlaceStatus>('a.status').as('status')])
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
