import { contentHash } from '../../domain/canonical-json.ts';
import type { LeadFacts } from '../../domain/routing/condition.ts';
import type { Explanation } from '../../domain/routing/decision.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import type { Sql } from '../db/database.ts';
import { insertExpression } from '../db/insert-rows.ts';
import { buildRosterColumns, insertRosters } from '../routing/roster-rows.ts';
import { queueLead, type Reach } from './waiting-leads.ts';

/** The wait of lead `l`, which only a pending lead has. */
export const WAIT_OF_LEAD = `
  select w.* from lead_waits w
  where w.lead_id = l.id and w.round = l.round and l.assignment_status = 'pending'
  order by w.decided_at desc limit 1`;

/**
 * Whether entry `a` of a lead's history only ends an assignment: an operator sent the lead back to the rules, and it waits.
 * The wait is then the outcome of the request.
 */
export const IS_END_BEFORE_WAIT = `(a.status = 'unassigned' and a.hand_over_id is not null and exists (
  select from lead_waits ended where ended.lead_id = a.lead_id and ended.hand_over_id = a.hand_over_id))`;

/** Counts the leads that wait by other rules than those in force; the owner of the queue decides them again. */
export async function countEarlierWaits(sql: Sql): Promise<number> {
  const row = await sql.queryOne<{ leads: number }>(EARLIER_WAITS_SQL);
  return row?.leads ?? 0;
}

const EARLIER_WAITS_SQL = `
select count(*)::int as leads from waiting_leads q join leads l on l.id = q.lead_id, lateral (${WAIT_OF_LEAD}) w
where w.ruleset_version <> (select version from routing_activations order by id desc limit 1)`;

/** Counts the leads that wait by each rule, by the rule's name. */
export async function countWaitsByRule(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql.query<{ rule: string; leads: number }>(WAITS_BY_RULE_SQL);
  return new Map(rows.map(({ rule, leads }) => [rule, leads]));
}

const WAITS_BY_RULE_SQL = `
select w.rule_name as rule, count(*)::int as leads
from waiting_leads q join leads l on l.id = q.lead_id, lateral (${WAIT_OF_LEAD}) w group by w.rule_name`;

interface WaitRecord {
  leadId: string;
  round: number;
  ruleName: string;
  rulesetVersion: number;
  dueAt: Date;
  endsAt: Date;
  reason: string;
  facts: LeadFacts;
  roster: Roster;
  explanation: Explanation;
  now: Date;
  reach: Reach;
  /** The version of the lists, agents and rules that it was decided from, at the latest. */
  referenceVersion: number;
  /** The operator's request that began the round. */
  handOverId: string | null;
}

/** Queues the lead and writes why and until when it waits. An unchanged current wait is not written again. */
export async function recordWait(sql: Sql, wait: WaitRecord): Promise<void> {
  await queueLead(sql, wait);
  const { stored, columns } = buildRosterColumns(wait.roster, wait.now);
  await sql.query(RECORD_WAIT_SQL, {
    ...wait,
    facts: JSON.stringify(wait.facts),
    factsHash: contentHash(wait.facts),
    rows: JSON.stringify({ rosters: [stored] }),
    rosterHash: columns.roster_hash,
    rosterBase: columns.roster_base,
    rosterNumbers: JSON.stringify(columns.roster_numbers),
    explanation: JSON.stringify(wait.explanation),
  });
}

const RECORD_WAIT_SQL = `
with doc as materialized (select :rows::jsonb as rows), ${insertExpression(insertRosters)}
insert into lead_waits as w (lead_id, round, rule_name, ruleset_version, since, decided_at, due_at, ends_at,
  reason, facts, facts_hash, roster_hash, roster_base, roster_numbers, explanation, hand_over_id)
values (:leadId, :round, :ruleName, :rulesetVersion, (select since from waiting_leads where lead_id = :leadId), :now, :dueAt,
  :endsAt, :reason, :facts, :factsHash, :rosterHash, :rosterBase, :rosterNumbers, :explanation, :handOverId)
on conflict (lead_id, round, rule_name) do update set ruleset_version = excluded.ruleset_version,
  decided_at = excluded.decided_at, due_at = excluded.due_at, ends_at = excluded.ends_at,
  reason = excluded.reason, facts = excluded.facts, facts_hash = excluded.facts_hash, roster = null,
  roster_hash = excluded.roster_hash, roster_base = excluded.roster_base,
  roster_numbers = excluded.roster_numbers, explanation = excluded.explanation
where w.due_at <> excluded.due_at or w.ruleset_version <> excluded.ruleset_version
  or exists (select from lead_waits later
    where later.lead_id = w.lead_id and later.round = w.round and later.decided_at > w.decided_at)`;
