import type { StoredDecision, StoredRuleset } from '../../domain/routing/recompute.ts';
import type { Sql } from '../db/database.ts';

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
  let after: [Date, string] = [since, '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const page = await sql.query<DecisionEntry & Record<string, unknown>>(DECISIONS_SQL, [
      ...after,
      PAGE,
    ]);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = [last.decidedAt, last.assignmentId];
  }
}

const DECISIONS_SQL = `
select a.id as "assignmentId", a.lead_id as "leadId", a.round, a.move,
  a.decided_by as "decidedBy", a.decided_at as "decidedAt", a.rule_name as "ruleName",
  a.status, a.agent_id as "agentId", a.pool_id as "poolId", a.follow_up as "followUp",
  d.ruleset_version as "rulesetVersion", d.facts, d.facts_hash as "factsHash",
  d.roster, d.roster_hash as "rosterHash", d.explanation,
  least(l.agent_responded_at, (
    select n.decided_at from assignments n
    where n.lead_id = a.lead_id and (n.round, n.move) > (a.round, a.move)
    order by n.round, n.move limit 1)) as "closedAt"
from routing_decisions d join assignments a on a.id = d.assignment_id join leads l on l.id = a.lead_id
where (a.decided_at, a.id) > ($1::timestamptz, $2::uuid)
order by a.decided_at, a.id limit $3`;

/** Rulesets as they are kept, each read once. */
export function createStoredRulesets(sql: Sql): (version: number) => Promise<StoredRuleset> {
  const known = new Map<number, StoredRuleset>();
  return async (version) => {
    const found = known.get(version) ?? (await readStoredRuleset(sql, version));
    known.set(version, found);
    return found;
  };
}

async function readStoredRuleset(sql: Sql, version: number): Promise<StoredRuleset> {
  const [row] = await sql.query<StoredRuleset & Record<string, unknown>>(
    `select rules, content_hash as "contentHash" from routing_rulesets where version = $1`,
    [version],
  );
  if (!row) throw new Error(`There is no ruleset ${version}.`);
  return row;
}
