import type { AssignmentStatus } from '../../domain/assignment/assignment-event.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { IS_END_BEFORE_WAIT } from '../leads/waiting-leads.ts';

interface PlacedLead {
  round: number;
  move: number;
  isPersonal: boolean;
  updatedAt: Date;
  respondedAt: Date | null;
  enquiredAt: Date;
}

export interface PlaceChange {
  round: number;
  move: number;
  status: Exclude<AssignmentStatus, 'pending'> | 'waiting';
  agentId: string | null;
  poolId: string | null;
  decidedBy: string;
  decidedAt: Date;
  handOver: { id: string; author: string; isUndo: boolean } | null;
}

export type LastChanges = NonNullable<Awaited<ReturnType<typeof readLastChanges>>>;

/**
 * Reads the lead's present round and move with the last two changes of its place; null if the lead does not exist. A
 * round without a change of its own began with new details. An integrator last sent something about it at `enquiredAt`.
 */
export function readLastChanges(database: Database, leadId: string) {
  return database.transaction(async (sql) => {
    const lead = await sql.first(READ_PLACED_LEAD, { leadId });
    if (!lead) return null;
    const changes = await readPlaceChanges(sql, leadId);
    return { ...lead, isResponded: lead.respondedAt !== null, changes };
  }, SNAPSHOT);
}

const READ_PLACED_LEAD = statement<{ leadId: string }, PlacedLead>(
  'read_placed_lead',
  `select round, moves as move, is_personal as "isPersonal", updated_at as "updatedAt",
     agent_responded_at as "respondedAt",
     (select max(received_at) from submissions where lead_id = :leadId) as "enquiredAt"
   from leads where id = :leadId`,
);

/** Whether entry `a` of a lead's history is the outcome of a request, rather than the wait that followed it. */
export const IS_PLACED = `not ${IS_END_BEFORE_WAIT}`;

type PlaceChangeRow = Omit<PlaceChange, 'handOver'> & {
  handOverId: string | null;
  author: string | null;
  undoes: string | null;
};

async function readPlaceChanges(sql: Sql, leadId: string): Promise<PlaceChange[]> {
  const rows = await sql.all(READ_PLACE_CHANGES, { leadId });
  return rows.map(({ handOverId, author, undoes, ...change }) => ({
    ...change,
    handOver:
      handOverId === null || author === null
        ? null
        : { id: handOverId, author, isUndo: undoes !== null },
  }));
}

/** The newest first, with the last wait of each round, at the time of the operator's request and not of the last decision. */
const READ_PLACE_CHANGES = statement<{ leadId: string }, PlaceChangeRow>(
  'read_place_changes',
  `select a.round, a.move, a.status, a.agent_id as "agentId", a.pool_id as "poolId",
     a.decided_by as "decidedBy", a.decided_at as "decidedAt", h.id as "handOverId", h.author, h.undoes
   from assignments a left join hand_overs h on h.id = a.hand_over_id
   where a.lead_id = :leadId and ${IS_PLACED}
   union all (
   select distinct on (w.round) w.round, 0, 'waiting', null, null,
     case when w.hand_over_id is null then 'rules' else 'operator' end,
     coalesce(h.requested_at, w.decided_at) as "decidedAt", h.id, h.author, h.undoes
   from lead_waits w left join hand_overs h on h.id = w.hand_over_id
   where w.lead_id = :leadId order by w.round desc, "decidedAt" desc)
   order by round desc, move desc, "decidedAt" desc limit 2`,
);
