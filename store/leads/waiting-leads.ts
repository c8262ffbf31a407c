import { contentHash } from '../../domain/canonical-json.ts';
import type { LeadFacts } from '../../domain/routing/condition.ts';
import type { Explanation } from '../../domain/routing/decision.ts';
import type { Candidates } from '../../domain/routing/match-rules.ts';
import type { Roster } from '../../domain/routing/roster.ts';
import { NIL_UUID } from '../../domain/uuid.ts';
import type { Sql } from '../db/database.ts';
import { type NoParams, statement } from '../db/statement.ts';

export const isUndo = (handOverId: string): string =>
  `exists (select from hand_overs u where u.id = ${handOverId} and u.undoes is not null)`;

/** A transfer of many leads may be reverted for some of them. */
export const wasUndone = (handOverId: string, leadId: string): string =>
  `exists (select from hand_overs u where u.undoes = ${handOverId} and u.undone_lead_id = ${leadId})`;

/** Also true for the transfer that the request `:undoneBy` is about to revert. */
export const isUndone = (handOverId: string): string =>
  `exists (select from hand_overs u
    where u.undoes = ${handOverId} and (u.undone_lead_id = l.id or u.id = :undoneBy::uuid))`;

const isAskedFor = (handOverId: string) =>
  `${handOverId} is not null and not ${isUndo(handOverId)} and not ${isUndone(handOverId)}`;

/** New details begin a round but do not restart the wait. Reverted transfers and reverts do not count. */
export const FIRST_ROUND_OF_WAIT = `greatest(
  (select max(round) + 1 from assignments a
   where lead_id = l.id and agent_id is not null and not ${isUndone('a.hand_over_id')}),
  (select max(round) from assignments a where lead_id = l.id and ${isAskedFor('a.hand_over_id')}),
  (select max(round) from lead_waits w where lead_id = l.id and ${isAskedFor('w.hand_over_id')}), 1)`;

/** Only a pending lead has a wait. */
export const WAIT_OF_LEAD = `
  select w.* from lead_waits w
  where w.lead_id = l.id and w.round = l.round and l.assignment_status = 'pending'
  order by w.decided_at desc limit 1`;

/** An operator sent the lead back to the rules, and the wait is the outcome of the request. */
export const IS_END_BEFORE_WAIT = `(a.status = 'unassigned' and a.hand_over_id is not null and exists (
  select from lead_waits ended where ended.lead_id = a.lead_id and ended.hand_over_id = a.hand_over_id))`;

interface QueuePlace {
  leadId: string;
  since: Date;
}

export interface QueuedLead extends QueuePlace, AgentReach {
  dueAt: Date;
  /** Null if the lead is only behind others. */
  rulesetVersion: number | null;
}

/** A lead that was queued under an earlier version is decided again. */
const REFERENCE_VERSION = `(select version from reference_state)`;

export type AgentReach = Pick<Candidates, 'teamIds' | 'agentIds'>;

const REACHES = `(w.team_ids && :teamIds::uuid[] or w.agent_ids && :agentIds::uuid[])`;

export interface QueueDecision {
  dueAt: Date;
  reach: AgentReach;
  /** A lower bound for the lists, agents and rules of the decision. Left out: undecided, so that the lead comes next. */
  referenceVersion?: number;
}

export async function queueLead(sql: Sql, leadId: string, queue: QueueDecision): Promise<void> {
  const { dueAt, reach, referenceVersion = 0 } = queue;
  await sql.all(QUEUE_LEAD, { leadId, dueAt, referenceVersion, ...reach });
}

const QUEUE_LEAD = statement<
  { leadId: string; dueAt: Date; referenceVersion: number } & AgentReach
>('queue_lead')`
insert into waiting_leads (lead_id, since, due_at, team_ids, agent_ids, reference_version)
select id, created_at, :dueAt, :teamIds, :agentIds, :referenceVersion from leads where id = :leadId
on conflict (lead_id) do update
set since = excluded.since, due_at = excluded.due_at, team_ids = excluded.team_ids, agent_ids = excluded.agent_ids,
  reference_version = excluded.reference_version`;

export interface WaitRow {
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
  handOverId: string | null;
}

/** Does not rewrite an unchanged current wait. The lead is queued. */
export async function insertWait(sql: Sql, leadId: string, wait: WaitRow): Promise<void> {
  const { facts, roster, explanation } = wait;
  await sql.all(INSERT_WAIT, {
    ...wait,
    leadId,
    facts: JSON.stringify(facts),
    factsHash: contentHash(facts),
    roster: JSON.stringify(roster),
    rosterHash: contentHash(roster),
    explanation: JSON.stringify(explanation),
  });
}

type WaitColumns = Omit<WaitRow, 'facts' | 'roster' | 'explanation'> &
  Record<'leadId' | 'facts' | 'factsHash' | 'roster' | 'rosterHash' | 'explanation', string>;

const INSERT_WAIT = statement<WaitColumns>('insert_wait')`
insert into lead_waits as w (lead_id, round, rule_name, ruleset_version, since, decided_at, due_at, ends_at,
  reason, facts, facts_hash, roster, roster_hash, explanation, hand_over_id)
values (:leadId, :round, :ruleName, :rulesetVersion, (select since from waiting_leads where lead_id = :leadId),
  :now, :dueAt, :endsAt, :reason, :facts, :factsHash, :roster, :rosterHash, :explanation, :handOverId)
on conflict (lead_id, round, rule_name) do update set ruleset_version = excluded.ruleset_version,
  decided_at = excluded.decided_at, due_at = excluded.due_at, ends_at = excluded.ends_at,
  reason = excluded.reason, facts = excluded.facts, facts_hash = excluded.facts_hash, roster = excluded.roster,
  roster_hash = excluded.roster_hash, explanation = excluded.explanation
where w.due_at <> excluded.due_at or w.ruleset_version <> excluded.ruleset_version
  or exists (select from lead_waits later
    where later.lead_id = w.lead_id and later.round = w.round and later.decided_at > w.decided_at)`;

/** Without an availability event, and with no earlier lead due or undecided, no free agent can take an earlier lead. */
export async function isBehindOthers(
  sql: Sql,
  lead: { leadId: string; now: Date; reach: AgentReach },
) {
  const [other] = await sql.all(FIND_EARLIER_LEAD, { ...lead, ...lead.reach });
  return other !== undefined;
}

const FIND_EARLIER_LEAD = statement<{ leadId: string; now: Date } & AgentReach, { leadId: string }>(
  'find_earlier_lead',
)`
select w.lead_id as "leadId" from waiting_leads w join leads own on own.id = :leadId
where ${REACHES} and (w.since, w.lead_id) < (own.created_at, own.id)
  and (w.due_at <= :now or exists (select from waiting_wakeups) or w.reference_version < ${REFERENCE_VERSION})
limit 1`;

/** Earlier undecided leads, or those of the contact, and the teams of these agents. */
export async function readUndecidedBefore(sql: Sql, lead: EarlierLeads): Promise<UndecidedLeads> {
  const found = await sql.first(READ_UNDECIDED_BEFORE, lead);
  return found ?? { leadIds: [], teamIds: [] };
}

interface EarlierLeads {
  leadId: string;
  agentIds: readonly string[];
  isOfContact: boolean;
}

type UndecidedLeads = Record<'leadIds' | 'teamIds', string[]>;

const READ_UNDECIDED_BEFORE = statement<EarlierLeads, UndecidedLeads>('read_undecided_before')`
select array(select distinct team_id from team_members where agent_id = any (:agentIds::uuid[])) as "teamIds", array(
select l.id from leads l join leads own on own.id = :leadId
where l.assignment_status = 'pending' and (l.created_at, l.id) < (own.created_at, own.id)
  and (l.contact_id = own.contact_id or not :isOfContact)
  and not exists (select from waiting_leads w where w.lead_id = l.id and w.reference_version > 0)
order by l.created_at, l.id) as "leadIds"`;

export const QUEUE_LEASE = 'waiting leads';

/** Returns the due leads that a worker scans now; none if no worker scans. Leads with a lock stay due and are skipped. */
export async function leaveToOwner(sql: Sql, leadIds: readonly string[], now: Date) {
  const rows = await sql.all(LEAVE_TO_OWNER, { leadIds, now, lease: QUEUE_LEASE });
  return new Set(rows.map(({ id }) => id));
}

const LEAVE_TO_OWNER = statement<
  { leadIds: readonly string[]; now: Date; lease: string },
  { id: string }
>('leave_to_owner')`
with due as materialized (
  select lead_id from waiting_leads where lead_id = any (:leadIds::uuid[]) and due_at <= :now
    and exists (select from worker_leases where name = :lease and expires_at > clock_timestamp())),
free as (
  select lead_id from waiting_leads where lead_id in (select lead_id from due)
  order by lead_id for update skip locked),
left_due as (
  update waiting_leads w set due_at = :now from free where w.lead_id = free.lead_id)
select lead_id as id from due`;

/** The caller has locked the agent, so that a concurrent decision sees the agent free or has queued its lead before. */
export async function wakeWaitingLeads(sql: Sql, agentId: string): Promise<void> {
  await sql.all(WAKE_WAITING_LEADS, { agentId });
}

const WAKE_WAITING_LEADS = statement<{ agentId: string }>('wake_waiting_leads')`
insert into waiting_wakeups (agent_id) select :agentId::uuid where exists (select from waiting_leads)`;

export interface Wakeup extends AgentReach {
  /** They need not commit in the order of their ids. */
  ids: number[];
  /** Leads that were queued under an earlier version are decided again. */
  referenceVersion: number;
}

/** Due leads per read; the others stay due. */
const DUE_AT_ONCE = 500;

/** Null if there is no work. */
export async function readWakeup(sql: Sql, now: Date): Promise<Wakeup | null> {
  const found = await sql.first(READ_WAKEUP, { now });
  return found?.isAwake ? found : null;
}

const READ_WAKEUP = statement<{ now: Date }, Wakeup & { isAwake: boolean }>('read_wakeup')`
with due as (select * from waiting_leads where due_at <= :now order by due_at limit ${DUE_AT_ONCE}),
woken as (
  select coalesce(jsonb_agg(id), '[]') as ids, coalesce(array_agg(agent_id), '{}') as agent_ids from waiting_wakeups)
select ids, version as "referenceVersion",
  ids <> '[]' or exists (select from due)
    or exists (select from waiting_leads where reference_version < version) as "isAwake",
  array(select unnest(team_ids) from due
        union select team_id from team_members where agent_id = any (woken.agent_ids)) as "teamIds",
  array(select unnest(agent_ids) from due union select unnest(woken.agent_ids)) as "agentIds"
from woken, reference_state`;

export async function isWokenAgain(sql: Sql, wakeup: Wakeup): Promise<boolean> {
  return (await sql.all(FIND_LATER_WAKEUP, wakeup)).length > 0;
}

const FIND_LATER_WAKEUP = statement<Pick<Wakeup, 'ids' | 'referenceVersion'>>('find_later_wakeup')`
select from reference_state
where version > :referenceVersion or exists (select from waiting_wakeups where id <> all (:ids::bigint[]))`;

/** After the scan, so that a worker that ends early loses no request. */
export async function forgetWakeup(sql: Sql, { ids }: Wakeup): Promise<void> {
  await sql.all(FORGET_WAKEUP, { ids });
}

const FORGET_WAKEUP = statement<Pick<Wakeup, 'ids'>>('forget_wakeup')`
delete from waiting_wakeups where id = any (:ids::bigint[])`;

export async function readQueue(
  sql: Sql,
  wakeup: Wakeup,
  after: QueuePlace | null,
  limit: number,
): Promise<QueuedLead[]> {
  const { since = new Date(0), leadId = NIL_UUID } = after ?? {};
  return sql.all(READ_QUEUE, { ...wakeup, since, leadId, limit });
}

const READ_QUEUE = statement<
  QueuePlace & AgentReach & { referenceVersion: number; limit: number },
  QueuedLead
>('read_queue')`
select lead_id as "leadId", since, due_at as "dueAt", team_ids as "teamIds", agent_ids as "agentIds", (
  select ruleset_version from lead_waits d where d.lead_id = w.lead_id
  order by decided_at desc limit 1) as "rulesetVersion"
from waiting_leads w
where (since, lead_id) > (:since, :leadId) and (reference_version < :referenceVersion or ${REACHES})
order by since, lead_id limit :limit`;

/** The decision is the same under that version. */
export async function keepWaiting(sql: Sql, leadIds: readonly string[], referenceVersion: number) {
  if (leadIds.length > 0) await sql.all(KEEP_WAITING, { leadIds, referenceVersion });
}

const KEEP_WAITING = statement<{ leadIds: readonly string[]; referenceVersion: number }>(
  'keep_waiting',
)`
update waiting_leads set reference_version = :referenceVersion
where lead_id = any (:leadIds::uuid[]) and reference_version < :referenceVersion`;

export async function postponeLead(sql: Sql, leadId: string, until: Date): Promise<void> {
  await sql.all(POSTPONE_LEAD, { leadId, until });
}

const POSTPONE_LEAD = statement<{ leadId: string; until: Date }>('postpone_lead')`
update waiting_leads set due_at = :until, reference_version = ${REFERENCE_VERSION} where lead_id = :leadId`;

/** Skips locked leads. In order of arrival. */
export async function lockFreeLeads(sql: Sql, leadIds: readonly string[]): Promise<string[]> {
  const rows = await sql.all(LOCK_FREE_LEADS, { leadIds });
  return rows.map(({ id }) => id);
}

const LOCK_FREE_LEADS = statement<{ leadIds: readonly string[] }, { id: string }>(
  'lock_free_leads',
)`
select id from leads where id = any (:leadIds::uuid[]) order by created_at, id for no key update skip locked`;

export async function unqueueLeads(sql: Sql, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length > 0) await sql.all(UNQUEUE_LEADS, { leadIds });
}

const UNQUEUE_LEADS = statement<{ leadIds: readonly string[] }>('unqueue_leads')`
delete from waiting_leads where lead_id = any (:leadIds::uuid[])`;

export async function countEarlierWaits(sql: Sql): Promise<number> {
  const row = await sql.first(COUNT_EARLIER_WAITS, {});
  return row?.leads ?? 0;
}

const COUNT_EARLIER_WAITS = statement<NoParams, { leads: number }>('count_earlier_waits')`
select count(*)::int as leads from waiting_leads q join leads l on l.id = q.lead_id, lateral (${WAIT_OF_LEAD}) w
where w.ruleset_version <> (select version from routing_activations order by id desc limit 1)`;

export async function countWaitsByRule(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql.all(COUNT_WAITS_BY_RULE, {});
  return new Map(rows.map(({ rule, leads }) => [rule, leads]));
}

const COUNT_WAITS_BY_RULE = statement<NoParams, { rule: string; leads: number }>(
  'count_waits_by_rule',
)`
select w.rule_name as rule, count(*)::int as leads
from waiting_leads q join leads l on l.id = q.lead_id, lateral (${WAIT_OF_LEAD}) w group by w.rule_name`;
