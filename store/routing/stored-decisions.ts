import type { StoredDecision } from '../../domain/routing/recompute.ts';
import type { GivenLead } from '../../domain/routing/what-if.ts';
import { NIL_UUID } from '../../domain/uuid.ts';
import type { Sql } from '../db/database.ts';
import { statement, type Statement } from '../db/statement.ts';
import { COUNTS_TODAY } from './agents.ts';
import { FIRST_RESPONSE_AT } from './roster.ts';

export interface DecisionEntry extends StoredDecision {
  id: string;
  leadId: string;
  round: number;
  move: number;
  rulesetVersion: number;
  /** Null if the lead still counts as open for the agent. */
  closedAt: Date | null;
}

const PAGE = 500;
/** In the order of the decisions. */
export function readDecisionsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  return readPages(sql, since, READ_DECISIONS);
}

/** Has the columns of an assignment without a destination. */
export function readWaitsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  return readPages(sql, since, READ_WAITS);
}

type Position = Pick<DecisionEntry, 'id' | 'decidedAt'>;

async function* readPages(
  sql: Sql,
  since: Date,
  page: Statement<Position, DecisionEntry>,
): AsyncGenerator<DecisionEntry> {
  let after: Position = { decidedAt: since, id: NIL_UUID };
  for (;;) {
    const rows = await sql.all(page, after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}

const CLOSED_AT = `least(${FIRST_RESPONSE_AT}, (
     select n.decided_at from assignments n
     where n.lead_id = a.lead_id and (n.round, n.move) > (a.round, a.move)
     order by n.round, n.move limit 1)) as "closedAt"`;

const INPUTS = `d.ruleset_version as "rulesetVersion", d.facts, d.facts_hash as "factsHash", d.roster,
     d.roster_hash as "rosterHash", d.explanation`;

const READ_DECISIONS = statement<Position, DecisionEntry>('read_decisions')`
select a.id, a.decided_at as "decidedAt", a.lead_id as "leadId", a.round, a.move, a.decided_by as "decidedBy",
  a.rule_name as "ruleName", a.status, a.agent_id as "agentId", a.pool_id as "poolId",
  a.follow_up as "followUp", ${CLOSED_AT}, ${INPUTS}
from assignments a join routing_decisions d on d.assignment_id = a.id join leads l on l.id = a.lead_id
where (a.decided_at, a.id) > (:decidedAt, :id) order by a.decided_at, a.id limit ${PAGE}`;

const READ_WAITS = statement<Position, DecisionEntry>('read_waits')`
select d.lead_id as id, d.lead_id as "leadId", d.round, 0 as move, d.decided_at as "decidedAt",
  'rules' as "decidedBy", d.rule_name as "ruleName", 'waiting' as status, null::uuid as "agentId",
  null::uuid as "poolId", null::jsonb as "followUp", null::timestamptz as "closedAt", ${INPUTS}
from lead_waits d
where d.explanation is not null and (d.decided_at, d.lead_id) > (:decidedAt, :id)
order by d.decided_at, d.lead_id limit ${PAGE}`;

/** By a listing, `assignedBy`, a claim or the follow-up, in order. */
export function readGivenLeads(sql: Sql, since: Date): Promise<GivenLead[]> {
  return sql.all(READ_GIVEN_LEADS, { since });
}

const READ_GIVEN_LEADS = statement<{ since: Date }, Required<GivenLead>>('read_given_leads')`
select a.lead_id as "leadId", a.agent_id as "agentId", a.decided_at as at, ${CLOSED_AT},
  ${COUNTS_TODAY} as "isCounted",
  (select coalesce(jsonb_agg(step || jsonb_build_object('teamId', rule #>> '{target,teamId}')), '[]')
   from jsonb_path_query(d.explanation, '$.rules[*] ? (@.selection.by == "weighted_round_robin")') as rule,
     jsonb_array_elements(rule #> '{selection,arithmetic}') as step) as turns
from assignments a join leads l on l.id = a.lead_id
  left join routing_decisions d on d.assignment_id = a.id
where a.decided_at > :since and a.agent_id is not null and a.decided_by <> 'rules'
order by a.decided_at, a.id`;
