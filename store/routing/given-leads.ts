import type { GivenLead } from '../../domain/routing/what-if.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';

/**
 * Leads that agents got since a time by another way than the rules' first choice: a listing, `assignedBy`,
 * a claim, the follow-up. In the order in which they got them.
 */
export async function readGivenLeads(sql: Sql, since: Date): Promise<GivenLead[]> {
  return sql.query<GivenLead & Record<string, unknown>>(GIVEN_LEADS_SQL, [since]);
}

const GIVEN_LEADS_SQL = `
select a.agent_id as "agentId", ${utcText('a.decided_at')} as at,
  ${utcText(`least(l.agent_responded_at, (
    select n.decided_at from assignments n
    where n.lead_id = a.lead_id and (n.round, n.move) > (a.round, a.move)
    order by n.round, n.move limit 1))`)} as "closedAt",
  coalesce((
    select jsonb_agg(step || jsonb_build_object('teamId', rule #>> '{target,teamId}'))
    from jsonb_path_query(d.explanation, '$.rules[*] ? (@.selection.by == "weighted_round_robin")') as rule,
      jsonb_array_elements(rule #> '{selection,arithmetic}') as step), '[]') as turns
from assignments a join leads l on l.id = a.lead_id
left join routing_decisions d on d.assignment_id = a.id
where a.decided_at > $1 and a.agent_id is not null and a.decided_by <> 'rules'
order by a.decided_at, a.id`;
