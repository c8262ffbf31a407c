import { contentHash } from '../../domain/routing/content-hash.ts';
import type { Explanation } from '../../domain/routing/explanation.ts';
import type { LeadFacts } from '../../domain/routing/lead-facts.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import type { Sql } from '../db/database.ts';

/** The wait of lead `l`, which only a pending lead has. */
export const WAIT_OF_LEAD = `
  select w.* from lead_waits w
  where w.lead_id = l.id and w.round = l.round and l.assignment_status = 'pending'
  order by w.decided_at desc limit 1`;

const WAITING_LEADS = `leads l cross join lateral (${WAIT_OF_LEAD}) w
  where l.assignment_status = 'pending'`;

export interface WaitRecord {
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
  /** The operator's request that began the round. */
  handOverId: string | null;
}

/** Writes that a lead waits, or until when it goes on to wait; a wait that stays as it was is not written again. */
export async function recordWait(sql: Sql, wait: WaitRecord): Promise<void> {
  await sql.query(RECORD_WAIT_SQL, {
    ...wait,
    facts: JSON.stringify(wait.facts),
    factsHash: contentHash(wait.facts),
    roster: JSON.stringify(wait.roster),
    rosterHash: contentHash(wait.roster),
    explanation: JSON.stringify(wait.explanation),
  });
}

const RECORD_WAIT_SQL = `
insert into lead_waits as w (lead_id, round, rule_name, ruleset_version, since, decided_at, due_at, ends_at,
  reason, facts, facts_hash, roster, roster_hash, explanation, hand_over_id)
values (:leadId, :round, :ruleName, :rulesetVersion,
  coalesce((select min(since) from lead_waits where lead_id = :leadId and round = :round), :now::timestamptz),
  :now, :dueAt, :endsAt, :reason, :facts, :factsHash, :roster, :rosterHash, :explanation, :handOverId)
on conflict (lead_id, round, rule_name) do update set ruleset_version = excluded.ruleset_version,
  decided_at = excluded.decided_at, due_at = excluded.due_at, ends_at = excluded.ends_at,
  reason = excluded.reason, facts = excluded.facts, facts_hash = excluded.facts_hash,
  roster = excluded.roster, roster_hash = excluded.roster_hash, explanation = excluded.explanation
where w.due_at <> excluded.due_at or w.ruleset_version <> excluded.ruleset_version`;

export async function doOthersWait(sql: Sql, leadId: string): Promise<boolean> {
  const text = `select l.id from ${WAITING_LEADS} and l.id <> :leadId limit 1`;
  return (await sql.queryOne(text, { leadId })) !== null;
}

/** Waiting leads beyond these are not considered until some of them have gone. */
const MOST_AT_ONCE = 2000;

/**
 * The leads that wait, in the order in which they began to, then `leadId`, all locked. One transaction at a
 * time has them, so that nobody's turn is taken by a later one.
 */
export async function lockWaitingLeads(sql: Sql, leadId: string): Promise<string[]> {
  await sql.query(`select pg_advisory_xact_lock(hashtext('lead_waits'))`);
  const waiting = await sql.query<{ id: string }>(
    `select l.id from ${WAITING_LEADS} order by w.since, l.id limit ${MOST_AT_ONCE}`,
  );
  const leadIds = [...new Set([...waiting.map(({ id }) => id), leadId])];
  const text = `select id from leads where id = any (:leadIds::uuid[]) order by id for no key update`;
  await sql.query(text, { leadIds });
  return leadIds;
}

/** Has the workflow of the lead that has waited longest try all that wait: an agent may be free for one of them. */
export async function wakeWaitingLeads(sql: Sql, at: Date): Promise<void> {
  await sql.query(WAKE_WAITING_SQL, { at });
}

const WAKE_WAITING_SQL = `
insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
select l.id, 'agent_available', :at::timestamptz, :at::timestamptz from (
  select l.id from ${WAITING_LEADS} order by w.since, l.id limit 1) l`;

/** The workflow of a lead that another lead's routing placed reads it. */
export async function announceRouted(sql: Sql, leadId: string, at: Date): Promise<void> {
  await sql.query(
    `insert into lead_outbox (lead_id, event, created_at, next_attempt_at)
     values (:leadId, 'routed', :at, :at)`,
    { leadId, at },
  );
}
