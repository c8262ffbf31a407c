import type { StoredDecision } from '../../domain/routing/recompute.ts';
import type { GivenLead } from '../../domain/routing/what-if.ts';
import type { Sql } from '../db/database.ts';
import { utcText } from '../db/statement.ts';

export interface DecisionEntry extends StoredDecision {
  assignmentId: string;
  leadId: string;
  round: number;
  move: number;
  rulesetVersion: number;
  /** When the lead stopped counting as open for the agent; null: it counts still. */
  closedAt: Date | null;
}

const PAGE = 500;

/** Every decision with its inputs since a time, in the order in which they were made. */
export async function* readDecisionsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  let after = { since, afterId: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const page = await sql.query<DecisionEntry>(DECISIONS_SQL, after);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = { since: last.decidedAt, afterId: last.assignmentId };
  }
}

const CLOSED_AT = `least(l.agent_responded_at, (
    select n.decided_at from assignments n
    where n.lead_id = a.lead_id and (n.round, n.move) > (a.round, a.move)
    order by n.round, n.move limit 1))`;

const DECISIONS_SQL = `
select a.id as "assignmentId", a.lead_id as "leadId", a.round, a.move,
  a.decided_by as "decidedBy", a.decided_at as "decidedAt", a.rule_name as "ruleName",
  a.status, a.agent_id as "agentId", a.pool_id as "poolId", a.follow_up as "followUp",
  d.ruleset_version as "rulesetVersion", d.facts, d.facts_hash as "factsHash",
  d.roster, d.roster_hash as "rosterHash", d.explanation,
  ${CLOSED_AT} as "closedAt"
from routing_decisions d join assignments a on a.id = d.assignment_id join leads l on l.id = a.lead_id
where (a.decided_at, a.id) > (:since::timestamptz, :afterId::uuid)
order by a.decided_at, a.id limit ${PAGE}`;

/**
 * Leads that agents got since a time by another way than the rules' first choice: a listing, `assignedBy`,
 * a claim, the follow-up. In the order in which they got them.
 */
export async function readGivenLeads(sql: Sql, since: Date): Promise<GivenLead[]> {
  return sql.query<GivenLead>(GIVEN_LEADS_SQL, { since });
}

const GIVEN_LEADS_SQL = `
select a.agent_id as "agentId", ${utcText('a.decided_at')} as at, ${utcText(CLOSED_AT)} as "closedAt",
  coalesce((
    select jsonb_agg(step || jsonb_build_object('teamId', rule #>> '{target,teamId}'))
    from jsonb_path_query(d.explanation, '$.rules[*] ? (@.selection.by == "weighted_round_robin")') as rule,
      jsonb_array_elements(rule #> '{selection,arithmetic}') as step), '[]') as turns
from assignments a join leads l on l.id = a.lead_id
left join routing_decisions d on d.assignment_id = a.id
where a.decided_at > :since and a.agent_id is not null and a.decided_by <> 'rules'
order by a.decided_at, a.id`;
