import type { HandedTo, HandOver } from '../../domain/assignment/hand-over.ts';
import type { Sql } from '../db/database.ts';
import { destinationFrom, type Placed } from './hand-overs.ts';
import { IS_END_BEFORE_WAIT } from './waits.ts';

/** Of all that an agent holds. */
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

/** Where a request brought how many leads, in all its runs. */
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

/** What an agent holds, by why a release leaves it to them. */
export function countLeft(sql: Sql, release: Release): Promise<Left[]> {
  return sql.query<Left>(COUNT_LEFT_SQL, release);
}

/** By the agent's assignments: leads with a response are in no index by their owner. */
const COUNT_LEFT_SQL = `
select case when agent_responded_at is not null and not :movesResponded then 'responded' when is_personal then 'personal'
    when :onlyWaiting and follow_up_due_at is null then 'no_clock' else 'still_held' end as reason,
  count(*) as leads
from leads
where owner_id = :agentId and id in (select lead_id from assignments where agent_id = :agentId)
group by 1 order by 2 desc`;
