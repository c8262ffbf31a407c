import type { AssignmentStatus, DecidedBy } from '../../domain/assignment/assignment-event.ts';
import type { Explanation } from '../../domain/routing/explanation.ts';
import type { Sql } from '../db/database.ts';

export interface AssignmentEntry {
  round: number;
  move: number;
  status: Exclude<AssignmentStatus, 'pending'>;
  agent: string | null;
  previousAgent: string | null;
  pool: string | null;
  decidedBy: DecidedBy;
  ruleName: string | null;
  rulesetVersion: number | null;
  reason: string;
  decidedAt: Date;
  /** Null where no rule decided: a listing's agent, `assignedBy`, a claim. */
  explanation: Explanation | null;
}

/** Every change of a lead's state or holder, in order, with what was kept of its decision. */
export async function readAssignmentHistory(sql: Sql, leadId: string): Promise<AssignmentEntry[]> {
  return sql.query<AssignmentEntry & Record<string, unknown>>(ASSIGNMENT_HISTORY_SQL, [leadId]);
}

const agentName = (column: string) => `(select name from agents where id = a.${column})`;

const ASSIGNMENT_HISTORY_SQL = `
select a.round, a.move, a.status, ${agentName('agent_id')} as agent,
  ${agentName('previous_agent_id')} as "previousAgent",
  (select name from list_entries where id = a.pool_id) as pool,
  a.decided_by as "decidedBy", a.rule_name as "ruleName", a.ruleset_version as "rulesetVersion",
  a.reason, a.decided_at as "decidedAt", d.explanation
from assignments a left join routing_decisions d on d.assignment_id = a.id
where a.lead_id = $1 order by a.round, a.move`;
