import type { Sql } from '../db/database.ts';
import { IS_END_BEFORE_WAIT } from './waits.ts';

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
  /** Where the lead is now; a round without a change of its own began with new details. */
  round: number;
  move: number;
  isPersonal: boolean;
  isResponded: boolean;
  updatedAt: Date;
  respondedAt: Date | null;
  /** When an integrator last sent something about it. */
  enquiredAt: Date;
  /** The newest first; of waits the last of a round. When an operator asked for it, not when it was last decided. */
  changes: PlaceChange[];
}

/** The last two changes of a lead's place; null for a lead that is not there. */
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
