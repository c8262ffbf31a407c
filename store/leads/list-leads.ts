import type { Unresolved } from '../../domain/leads/lookup-semantics.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import { WAIT_OF_LEAD } from '../assignment/waits.ts';
import type { Sql } from '../db/database.ts';

export interface LeadFilter {
  status: LeadStatus | null;
  agentId: string | null;
  needsReview: boolean;
  /** Only leads that nobody has answered, where they are since then or longer. */
  waitingSince: Date | null;
  limit: number;
}

/** One line of a list of leads: nothing of the customer. */
export interface ListedLead {
  id: string;
  status: LeadStatus;
  /** When it came to where it is; where it waits for an agent, its place in the queue. */
  since: Date;
  holder: { id: string; name: string; email: string } | null;
  pool: string | null;
  followUpDueAt: Date | null;
  /** While it waits for an agent: when it is routed again at the latest. */
  waitDueAt: Date | null;
  respondedAt: Date | null;
  /** The names of the fields alone: what was sent in them may be the customer's. */
  unresolvedFields: string[];
  client: string;
}

/** Longest where they are first. What is unassigned waits for nobody, unless it is asked for. */
export async function listLeads(sql: Sql, filter: LeadFilter): Promise<ListedLead[]> {
  return sql.query<ListedLead>(LIST_LEADS_SQL, filter);
}

const LIST_LEADS_SQL = `
select l.id, l.assignment_status as status, placed.since,
  (select jsonb_build_object('id', g.id, 'name', g.name, 'email', g.email)
   from agents g where g.id = l.owner_id) as holder,
  (select name from list_entries where id = l.pool_id) as pool,
  (select due_at from (${WAIT_OF_LEAD}) w) as "waitDueAt",
  l.follow_up_due_at as "followUpDueAt", l.agent_responded_at as "respondedAt",
  coalesce((select jsonb_agg(field order by field) from jsonb_object_keys(l.intake_unresolved) field), '[]')
    as "unresolvedFields",
  (select name from oauth_clients where id = l.client_id) as client
from leads l
cross join lateral (
  select case when l.assignment_status = 'pending'
    then coalesce((select since from waiting_leads where lead_id = l.id), l.updated_at) else coalesce((
      select a.decided_at from assignments a where a.lead_id = l.id
      order by a.round desc, a.move desc limit 1), l.created_at) end as since) placed
where (:status::text is null or l.assignment_status = :status)
  and (:agentId::uuid is null or l.owner_id = :agentId)
  and (not :needsReview or l.intake_unresolved is not null)
  and (:waitingSince::timestamptz is null or (placed.since <= :waitingSince and l.agent_responded_at is null
       and (l.assignment_status <> 'unassigned' or :status = 'unassigned')))
order by placed.since, l.id limit :limit`;

export interface FlaggedLead {
  id: string;
  flags: Unresolved;
  sourceId: string | null;
}

/** The leads with values that matched nothing, a page at a time in the order of their ids. */
export async function readFlagged(
  { tables, run }: Sql,
  afterId: string | null,
  limit: number,
): Promise<FlaggedLead[]> {
  const flagged = tables
    .selectFrom('leads')
    .where('intake_unresolved', 'is not', null)
    .select(['id', 'source_id as sourceId'])
    .select((columns) => columns.ref('intake_unresolved').$castTo<Unresolved>().as('flags'))
    .orderBy('id')
    .limit(limit);
  return run(afterId === null ? flagged : flagged.where('id', '>', afterId));
}

/** Of these ids and reference numbers, those that a listing has. */
export async function readKnownListings(
  sql: Sql,
  ids: readonly string[],
  referenceNos: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length + referenceNos.length === 0) return new Set();
  const rows = await sql.query<{ name: string }>(
    `select id::text as name from listings where enabled and id = any (:ids::uuid[])
     union select asked from unnest(:referenceNos::text[]) as asked
     where exists (select from listings where enabled and lower(reference_no) = lower(asked))`,
    { ids, referenceNos },
  );
  return new Set(rows.map(({ name }) => name));
}
