import { isDistributionType } from '../../domain/leads/distribution-type.ts';
import { contentHash } from '../../domain/routing/content-hash.ts';
import type { LeadFacts } from '../../domain/routing/lead-facts.ts';
import type { Sql } from '../db/database.ts';

/** What of a lead's distributionType is no free text: an allowed value. */
export function keptDistributionType(sent: string | null): string | null {
  return sent !== null && isDistributionType(sent) ? sent : null;
}

interface Row {
  /** Of the decision's assignment; null for a wait. */
  assignmentId: string | null;
  round: number;
  ruleName: string | null;
  facts: LeadFacts;
}

/**
 * Takes an unrecognised distributionType out of the facts of a lead's decisions. No rule matches such a value, so
 * that each decision is the same without it; the hash of the facts is made anew.
 */
export async function eraseFreeFacts(sql: Sql, leadId: string): Promise<void> {
  const rows = await sql.query<Row>(READ_FACTS_SQL, { leadId });
  const changed = rows.map(({ facts: { distributionType: _text, ...others }, ...row }) => {
    const facts: LeadFacts = { ...others, distributionType: null };
    return { ...row, facts, factsHash: contentHash(facts) };
  });
  await sql.query(WRITE_FACTS_SQL, { leadId, changed: JSON.stringify(changed) });
}

const READ_FACTS_SQL = `
select d.assignment_id as "assignmentId", a.round, a.rule_name as "ruleName", d.facts
from assignments a join routing_decisions d on d.assignment_id = a.id where a.lead_id = :leadId
union all
select null, round, rule_name, facts from lead_waits where lead_id = :leadId`;

const WRITE_FACTS_SQL = `
with changed as (
  select * from jsonb_to_recordset(:changed::jsonb)
    as c ("assignmentId" uuid, round int, "ruleName" text, facts jsonb, "factsHash" text)),
decisions as (
  update routing_decisions d set facts = c.facts, facts_hash = c."factsHash"
  from changed c where d.assignment_id = c."assignmentId")
update lead_waits w set facts = c.facts, facts_hash = c."factsHash" from changed c
where c."assignmentId" is null and w.lead_id = :leadId and w.round = c.round and w.rule_name = c."ruleName"`;
