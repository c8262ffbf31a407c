import { findTakenFrom, type HolderChange } from '../../domain/assignment/taken-from.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';

/** Whether a hand-over takes another one back. */
export const isUndo = (handOverId: string): string =>
  `exists (select from hand_overs u where u.id = ${handOverId} and u.undoes is not null)`;

/** Whether a hand-over of the lead was taken back; one that moved many leads may be, of some of them. */
export const wasUndone = (handOverId: string, leadId = 'l.id'): string =>
  `exists (select from hand_overs u where u.undoes = ${handOverId} and u.undone_lead_id = ${leadId})`;

const takesNothing = (handOverId: string) => `${isUndo(handOverId)} or ${wasUndone(handOverId)}`;

/**
 * The changes of lead `l`'s holder as a list of `HolderChange`; none where no operator moved it. In their own order:
 * the clocks of those who wrote them differ.
 */
export const HOLDER_CHANGES = `(
  select coalesce(jsonb_agg(jsonb_build_object('at', ${utcText('c.at')}, 'agentId', c.agent_id,
    'isNamed', c.is_named, 'dueAt', ${utcText('c.due_at')}, 'takenFrom', c.taken_from, 'liftsAll', c.lifts_all) order by c.round, c.move, c.at), '[]')
  from (
    select a.decided_at as at, a.round, a.move, a.agent_id, a.follow_up_due_at as due_at,
      a.decided_by = 'claim' or coalesce(h.target = 'agent', false) as is_named,
      case when a.hand_over_id is null or h.lifts_exclusion or ${takesNothing('a.hand_over_id')} then '[]'
        else to_jsonb(array_remove(array[lag(a.agent_id) over (order by a.round, a.move)], null)) end as taken_from,
      coalesce(h.lifts_exclusion, false) as lifts_all
    from assignments a left join hand_overs h on h.id = a.hand_over_id where a.lead_id = l.id
    union all
    select least(h.requested_at, w.decided_at), w.round, -1, null, null, false,
      case when ${takesNothing('w.hand_over_id')} then '[]'
        else coalesce(w.facts -> 'takenFromAgentIds', w.facts -> 'excludedAgentIds', '[]') end, h.lifts_exclusion
    from lead_waits w join hand_overs h on h.id = w.hand_over_id where w.lead_id = l.id) c
  where exists (select from assignments where lead_id = l.id and hand_over_id is not null)
    or exists (select from lead_waits where lead_id = l.id and hand_over_id is not null))`;

/** From whom operators took the lead, so that rules do not give it back to them now; by name. */
export async function readTakenFrom(
  sql: Sql,
  leadId: string,
  time: Parameters<typeof findTakenFrom>[1],
): Promise<{ name: string; email: string }[]> {
  const lead = await sql.queryOne<{ changes: HolderChange[] }>(
    `select ${HOLDER_CHANGES} as changes from leads l where l.id = :leadId`,
    { leadId },
  );
  const agentIds = findTakenFrom(lead?.changes ?? [], time);
  return sql.query(
    `select name, email from agents where id = any (:agentIds::uuid[]) order by name`,
    {
      agentIds,
    },
  );
}
