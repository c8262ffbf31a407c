import type { LeadFacts } from '../../domain/routing/condition.ts';
import type { StoredDecision } from '../../domain/routing/recompute.ts';
import {
  joinRoster,
  type Roster,
  type RosterBase,
  type RosterNumbers,
} from '../../domain/routing/roster.ts';
import type { GivenLead } from '../../domain/routing/what-if.ts';
import type { Sql } from '../db/database.ts';
import { BATCH, inPages, type AfterBatch } from '../db/delete-in-batches.ts';
import { utcText } from '../db/statement.ts';
import { FIRST_RESPONSE_AT } from './roster.ts';

export interface DecisionEntry extends StoredDecision {
  /** The id of the assignment, or of the lead that waits. */
  id: string;
  leadId: string;
  round: number;
  move: number;
  rulesetVersion: number;
  /** When the lead stopped counting as open for the agent; null: it counts still. */
  closedAt: Date | null;
}

const PAGE = 500;

/** Every assignment that was decided since a time, with its inputs, in the order in which they were made. */
export function readDecisionsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  return withRosters(sql, readPages(sql, DECISIONS_SQL, since));
}

/** Every decision since a time that a lead waits. */
export function readWaitsSince(sql: Sql, since: Date): AsyncGenerator<DecisionEntry> {
  return withRosters(sql, readPages(sql, WAITS_SQL, since));
}

/** The facts by which rules last routed each lead that they routed since a time. */
export function readFactsSince(sql: Sql, since: Date) {
  return readPages<Position & { facts: LeadFacts }>(sql, FACTS_SQL, since);
}

type Position = Pick<DecisionEntry, 'id' | 'decidedAt'>;

async function* readPages<Row extends Position>(
  sql: Sql,
  text: string,
  since: Date,
): AsyncGenerator<Row> {
  let after = { since, afterId: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const page = await sql.query<Row>(text, after);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = { since: last.decidedAt, afterId: last.id };
  }
}

type StoredEntry = Omit<DecisionEntry, 'roster'> &
  (
    | { roster: Roster; rosterBase: null }
    | { roster: null; rosterBase: string; rosterNumbers: RosterNumbers }
  );

/** Joined here: in the database it takes 2 ms for each decision of a team of 20. */
async function* withRosters(
  sql: Sql,
  entries: AsyncGenerator<StoredEntry>,
): AsyncGenerator<DecisionEntry> {
  const bases = new Map<string, RosterBase>();
  for await (const entry of entries) {
    if (entry.roster) {
      yield entry;
      continue;
    }
    const { rosterBase, rosterNumbers, ...rest } = entry;
    const base = bases.get(rosterBase) ?? (await readBase(sql, rosterBase));
    bases.set(rosterBase, base);
    yield { ...rest, roster: joinRoster(base, rosterNumbers) };
  }
}

async function readBase(sql: Sql, hash: string): Promise<RosterBase> {
  const text = 'select roster from rosters where hash = :hash';
  const row = await sql.queryOne<{ roster: RosterBase }>(text, { hash });
  if (!row) throw new Error(`Roster ${hash} not found.`);
  return row.roster;
}

const CLOSED_AT = `least(${FIRST_RESPONSE_AT}, (
    select n.decided_at from assignments n
    where n.lead_id = a.lead_id and (n.round, n.move) > (a.round, a.move)
    order by n.round, n.move limit 1))`;

const DECISIONS_SQL = `
select a.id, a.lead_id as "leadId", a.round, a.move,
  a.decided_by as "decidedBy", a.decided_at as "decidedAt", a.rule_name as "ruleName",
  a.status, a.agent_id as "agentId", a.pool_id as "poolId", a.follow_up as "followUp",
  d.ruleset_version as "rulesetVersion", d.facts, d.facts_hash as "factsHash",
  d.roster, d.roster_base as "rosterBase", d.roster_numbers as "rosterNumbers", d.roster_hash as "rosterHash", d.explanation,
  ${CLOSED_AT} as "closedAt"
from routing_decisions d join assignments a on a.id = d.assignment_id join leads l on l.id = a.lead_id
where (a.decided_at, a.id) > (:since::timestamptz, :afterId::uuid)
order by a.decided_at, a.id limit ${PAGE}`;

const FACTS_SQL = `
select a.id, a.decided_at as "decidedAt", d.facts
from assignments a join routing_decisions d on d.assignment_id = a.id
where (a.decided_at, a.id) > (:since::timestamptz, :afterId::uuid) and a.decided_by = 'rules'
  and not exists (select from assignments n where n.lead_id = a.lead_id and n.decided_by = 'rules'
    and (n.round, n.move) > (a.round, a.move))
order by a.decided_at, a.id limit ${PAGE}`;

const WAITS_SQL = `
select lead_id as id, lead_id as "leadId", round, 0 as move, 'rules' as "decidedBy",
  decided_at as "decidedAt", rule_name as "ruleName", 'waiting' as status, null as "agentId",
  null as "poolId", null as "followUp", ruleset_version as "rulesetVersion", facts,
  facts_hash as "factsHash", roster, roster_base as "rosterBase", roster_numbers as "rosterNumbers", roster_hash as "rosterHash", explanation, null as "closedAt"
from lead_waits w
where explanation is not null and (decided_at, lead_id) > (:since::timestamptz, :afterId::uuid)
order by decided_at, lead_id limit ${PAGE}`;

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

/** Whether somebody answered lead `l`, or nobody was found for it. */
const CLOSED = `(l.agent_responded_at is not null or l.assignment_status = 'unassigned')`;

/**
 * Removes what decisions of before a time were made from and how they came about, but for open leads. The
 * assignments and waits themselves stay, with their reason. Rosters that no decision is left of go as well.
 */
export async function purgeDecisions(
  sql: Sql,
  before: Date,
  afterBatch: AfterBatch,
): Promise<{ explanations: number; rosters: number }> {
  let explanations = 0;
  const used = new Set<string>();
  const purge = (text: string, start: object) =>
    inPages(
      start,
      async (place) => {
        const page = await sql.queryOne<RemovedPage>(text, { before, ...place });
        explanations += page?.removed ?? 0;
        for (const hash of page?.rosters ?? []) used.add(hash);
        return page && page.next;
      },
      afterBatch,
    );
  await purge(REMOVE_DECISIONS_SQL, { after: NO_ID });
  await purge(CLEAR_WAITS_SQL, {
    afterAt: new Date(0),
    after: NO_ID,
    afterRound: 0,
    afterRule: '',
  });
  const rosters = await sql.query(REMOVE_ROSTERS_SQL, { before, used: [...used] });
  return { explanations, rosters: rosters.length };
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

interface RemovedPage {
  removed: number;
  /** The rosters of decisions of before the time that stay. */
  rosters: string[];
  next: object;
}

/** Pages by the decisions' own key, so that what was removed on earlier days costs nothing. */
const REMOVE_DECISIONS_SQL = `
with page as materialized (
  select assignment_id, roster_base from routing_decisions where assignment_id > :after
  order by assignment_id limit ${BATCH}),
old as materialized (
  select page.assignment_id, page.roster_base, ${CLOSED} as is_closed
  from page join assignments a on a.id = page.assignment_id join leads l on l.id = a.lead_id
  where a.decided_at < :before),
locked as materialized (
  select d.assignment_id from old join routing_decisions d on d.assignment_id = old.assignment_id
  where old.is_closed for update of d skip locked),
removed as (
  delete from routing_decisions d using locked where d.assignment_id = locked.assignment_id
  returning d.assignment_id)
select (select count(*)::int from removed) as removed,
  (select coalesce(array_agg(distinct roster_base) filter (where roster_base is not null), '{}') from old
   where assignment_id not in (select assignment_id from removed)) as rosters,
  jsonb_build_object('after', assignment_id) as next
from page order by assignment_id desc limit 1`;

/** Removes only what explains: the rest says how long a lead may go on to wait, and whom an operator took it from. */
const CLEAR_WAITS_SQL = `
with page as materialized (
  select lead_id, round, rule_name, decided_at, roster_base from lead_waits
  where explanation is not null and decided_at < :before and decided_at >= :afterAt
    and (decided_at, lead_id, round, rule_name) > (:afterAt, :after::uuid, :afterRound::int, :afterRule)
  order by decided_at, lead_id, round, rule_name limit ${BATCH}),
locked as materialized (
  select w.lead_id, w.round, w.rule_name
  from page join lead_waits w using (lead_id, round, rule_name) join leads l on l.id = page.lead_id
  where ${CLOSED} for update of w skip locked),
removed as (
  update lead_waits w set explanation = null, roster = null, roster_base = null, roster_numbers = null
  from locked k where (w.lead_id, w.round, w.rule_name) = (k.lead_id, k.round, k.rule_name)
  returning w.lead_id, w.round, w.rule_name)
select (select count(*)::int from removed) as removed,
  (select coalesce(array_agg(distinct roster_base) filter (where roster_base is not null), '{}') from page
   where (lead_id, round, rule_name) not in (select * from removed)) as rosters,
  jsonb_build_object('afterAt', decided_at, 'after', lead_id, 'afterRound', round, 'afterRule', rule_name) as next
from page order by decided_at desc, lead_id desc, round desc, rule_name desc limit 1`;

/** A day later, since days are UTC's and clocks differ. One that is used again meanwhile is written, and stays. */
const REMOVE_ROSTERS_SQL = `
delete from rosters where used_on < :before::date - 1 and hash <> all (:used::text[]) returning hash`;
