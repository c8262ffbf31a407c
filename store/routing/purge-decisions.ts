import { BATCH, inPages, type AfterBatch } from '../db/batches.ts';
import type { Sql } from '../db/database.ts';

/** Of lead `l`: somebody answered it, or nobody was found for it. */
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
        const page = await sql.queryOne<Page>(text, { before, ...place });
        explanations += page?.removed ?? 0;
        for (const hash of page?.rosters ?? []) used.add(hash);
        return page && page.next;
      },
      afterBatch,
    );
  await purge(DECISIONS_SQL, { after: NO_ID });
  await purge(WAITS_SQL, { afterAt: new Date(0), after: NO_ID, afterRound: 0, afterRule: '' });
  const rosters = await sql.query(ROSTERS_SQL, { before, used: [...used] });
  return { explanations, rosters: rosters.length };
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

interface Page {
  removed: number;
  /** Of the decisions of before the time that stay. */
  rosters: string[];
  next: object;
}

/** By their own key, so that what was removed on earlier days costs nothing. */
const DECISIONS_SQL = `
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

/** Only what explains goes: the rest says how long a lead may go on to wait, and whom an operator took it from. */
const WAITS_SQL = `
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
const ROSTERS_SQL = `
delete from rosters where used_on < :before::date - 1 and hash <> all (:used::text[]) returning hash`;
