import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Unresolved } from '../../domain/leads/fields.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import { NIL_UUID } from '../../domain/uuid.ts';
import type { Sql } from '../db/database.ts';
import { pageStatements, readPage, type Page } from '../db/page.ts';
import { statement } from '../db/statement.ts';
import type { LeadPerson } from './read-lead.ts';
import { WAIT_OF_LEAD } from './waiting-leads.ts';

/** Null: no filter. */
export interface LeadFilter {
  status: LeadStatus | null;
  agentId: string | null;
  sourceId: string | null;
  /** The id of the row. */
  clientId: string | null;
  rule: string | null;
  needsReview: boolean;
  /** Without a response, and placed by this time. */
  waitingSince: Date | null;
  since: Date | null;
  order: 'oldest' | 'newest';
  limit: number;
}

/** Without personal data. */
export interface ListedLead {
  id: string;
  status: LeadStatus;
  since: Date;
  holder: { id: string; name: string; email: string } | null;
  pool: string | null;
  followUpDueAt: Date | null;
  /** The latest time at which a queued lead is routed again. */
  waitDueAt: Date | null;
  respondedAt: Date | null;
  unresolvedFields: string[];
  client: string;
}

export function listLeads(sql: Sql, { order, ...filter }: LeadFilter): Promise<Page<ListedLead>> {
  return readPage(sql, LIST_LEADS[order], filter);
}

/** Custom plans omit conditions of null parameters, so that the others can use an index. */
const IS_PLACED_AS_ASKED = `(:sourceId::uuid is null or l.source_id = :sourceId)
   and (:clientId::uuid is null or l.client_id = :clientId)
   and (:rule::text is null or l.placed_by_rule = left(:rule, 255))
   and (:since::timestamptz is null or l.placed_at >= :since)`;

/** `waitingSince` excludes unassigned leads, unless the status includes them. */
const SELECTED_LEADS = `from leads l
   where ${IS_PLACED_AS_ASKED}
   and (:status::text is null or l.assignment_status = :status)
   and (:agentId::uuid is null or l.owner_id = :agentId)
   and (not :needsReview::boolean or l.intake_unresolved is not null)
   and (:waitingSince::timestamptz is null or l.placed_at <= :waitingSince and l.agent_responded_at is null
     and (coalesce(:status, '') = 'unassigned' or l.assignment_status <> 'unassigned'))`;

const leadsInOrder = (name: string, direction: 'asc' | 'desc') =>
  pageStatements<Omit<LeadFilter, 'order'>, ListedLead>(name, {
    rows: `select l.id, l.assignment_status as status, l.placed_at as since,
     (select jsonb_build_object('id', g.id, 'name', g.name, 'email', g.email)
      from agents g where g.id = l.owner_id) as holder,
     (select name from list_entries where id = l.pool_id) as pool,
     (select due_at from (${WAIT_OF_LEAD}) w) as "waitDueAt",
     l.follow_up_due_at as "followUpDueAt", l.agent_responded_at as "respondedAt",
     coalesce((select jsonb_agg(field order by field) from jsonb_object_keys(l.intake_unresolved) field), '[]')
       as "unresolvedFields",
     (select name from oauth_clients where id = l.client_id) as client
   ${SELECTED_LEADS} order by l.placed_at ${direction}, l.id ${direction} limit :limit`,
    selected: `select ${SELECTED_LEADS}`,
  });

const LIST_LEADS = {
  oldest: leadsInOrder('list_oldest_leads', 'asc'),
  newest: leadsInOrder('list_newest_leads', 'desc'),
};

export interface UnheldFilter extends Pick<LeadFilter, 'since' | 'sourceId' | 'clientId' | 'rule'> {
  statuses: readonly LeadStatus[];
  poolId: string | null;
  requestId: string;
}

/** Oldest enquiry first, without erased leads. */
export async function readUnheldLeads(sql: Sql, filter: UnheldFilter): Promise<string[]> {
  const rows = await sql.all(READ_UNHELD_LEADS, filter);
  return rows.map(({ id }) => id);
}

const READ_UNHELD_LEADS = statement<UnheldFilter, { id: string }>('read_unheld_leads')`
select l.id from leads l
where l.assignment_status = any (:statuses::text[]) and ${IS_PLACED_AS_ASKED} and l.erased_at is null
and (:poolId::uuid is null or l.pool_id is distinct from :poolId)
and not exists (select from assignments a where a.lead_id = l.id and a.hand_over_id = :requestId)
order by l.created_at, l.id`;

export interface FlaggedLead {
  id: string;
  sourceId: string | null;
  flags: Unresolved;
}

interface FlaggedPage {
  afterId: string | null;
  limit: number;
}

export function readFlagged(sql: Sql, page: FlaggedPage): Promise<FlaggedLead[]> {
  return sql.all(READ_FLAGGED_LEADS, page);
}

const READ_FLAGGED_LEADS = statement<FlaggedPage, FlaggedLead>('read_flagged_leads')`
select id, source_id as "sourceId", intake_unresolved as flags from leads
where intake_unresolved is not null
  and id > coalesce(:afterId::uuid, '${NIL_UUID}') order by id limit :limit`;

export async function readKnownListings(
  sql: Sql,
  ids: readonly string[],
  referenceNos: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length + referenceNos.length === 0) return new Set();
  const rows = await sql.all(READ_KNOWN_LISTINGS, { ids, referenceNos });
  return new Set(rows.map(({ name }) => name));
}

const READ_KNOWN_LISTINGS = statement<
  { ids: readonly string[]; referenceNos: readonly string[] },
  { name: string }
>('read_known_listings')`
select id::text as name from listings where enabled and id = any (:ids::uuid[])
union select asked from unnest(:referenceNos::text[]) as asked
where exists (select from listings where enabled and lower(reference_no) = lower(asked))`;

export interface FoundLead extends Pick<ListedLead, 'id' | 'status' | 'pool' | 'client'> {
  agent: { id: string; name: string; email: string } | null;
  source: string | null;
  createdAt: Date;
  /** Its public id. */
  clientId: string;
}

export type FoundPerson = Pick<LeadPerson, 'firstName' | 'lastName' | 'phones' | 'emails'>;

export interface LeadQuery {
  contactPoints: readonly ContactPoint[];
  /** An integrator's reference, or the ad platform's id. */
  reference: string;
  /** Null: the query is not a phone. */
  lastDigits: string | null;
  /** One word begins the first name, or the first or last word of the last name. Empty: not a name. */
  nameWords: readonly string[];
  /** The range of uuids with this prefix; null if it is not one. */
  ids: { first: string; last: string } | null;
  limit: number;
}

/** Finds matching leads and all leads of their customers, newest first. Each condition reads an index. */
export function findLeads(sql: Sql, query: LeadQuery): Promise<Page<FoundLead>> {
  return readPage(sql, FIND_LEADS, parametersOf(query));
}

/** Adds personal data, which is read only if an operator asks for it. */
export function findLeadsWithPersons(sql: Sql, query: LeadQuery) {
  return readPage(sql, FIND_LEADS_WITH_PERSONS, parametersOf(query));
}

function parametersOf({ contactPoints, ids, lastDigits, nameWords, ...query }: LeadQuery) {
  return {
    ...query,
    digits: lastDigits && [...lastDigits].reverse().join(''),
    ...nameParameters(nameWords),
    kinds: contactPoints.map(({ kind }) => kind),
    values: contactPoints.map(({ value }) => value),
    firstId: ids?.first ?? null,
    lastId: ids?.last ?? null,
  };
}

export const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** A prefix `like` that uses an index even if the plan does not know the pattern. */
const beginsWith = (column: string, text: string) =>
  `${column} ~>=~ ${text} and ${column} ~<~ (${text} || chr(1114111))`;

const NAMES = `lower(concat(' ', l.lead_first_name, ' ', l.lead_middle_name, ' ', l.lead_second_name, ' ', l.lead_last_name, ' '))`;

/** Each word begins a name of lead `l`, or a part after a hyphen. */
const IS_NAMED = `translate(${NAMES}, '-', ' ') like all (:withinName::text[])`;

const NAMED_LEADS_SQL = `
  select named.id from unnest(:words::text[]) word cross join lateral (
      select id from leads l where ${beginsWith('lower(lead_first_name)', 'word')} and ${IS_NAMED}
      union all
      select id from leads l where ${beginsWith('lower(lead_last_name)', 'word')} and ${IS_NAMED}
      union all
      select id from leads l where lead_last_name ~ '[ -]'
        and ${beginsWith(`lower(substring(lead_last_name from '[^ -]+$'))`, 'word')} and ${IS_NAMED} offset 0) named`;

function nameParameters(nameWords: readonly string[]) {
  const words = nameWords.map((word) => word.toLowerCase());
  return { words, withinName: words.map((word) => `% ${escapeLike(word.replaceAll('-', ' '))}%`) };
}

const FOUND_SQL = `
with points as (select * from unnest(:kinds::text[], :values::text[]) as k (kind, value)),
found as (
  select p.lead_id as id from points k cross join lateral (
      select lead_id from lead_contact_points where kind = k.kind and value = k.value offset 0) p
  union select l.id from points k cross join lateral (
      select contact_id from contact_points where kind = k.kind and value = k.value offset 0) p
    cross join lateral (select id from leads where contact_id = p.contact_id offset 0) l
  union select id from leads where lower(integration_ref) = lower(:reference)
  union select lead_id from lead_contact_points
    where kind = 'phone' and ${beginsWith('reverse(value)', ':digits::text')}
  union ${NAMED_LEADS_SQL}
  union select lead_id from ad_platform_blocks
    where ad_platform_lead_id = regexp_replace(:reference, '^l:(?=\\d+$)', '')
  union select id from leads where id between :firstId::uuid and :lastId::uuid
  union select id from leads where contact_id between :firstId::uuid and :lastId::uuid)`;

const foundLeads = (personColumns = '') => ({
  rows: `${FOUND_SQL}
   select l.id, l.assignment_status as status,
     (select jsonb_build_object('id', g.id, 'name', g.name, 'email', g.email)
      from agents g where g.id = l.owner_id) as agent,
     (select name from list_entries where id = l.pool_id) as pool,
     (select name from list_entries where id = l.source_id) as source,
     l.created_at as "createdAt", c.client_id as "clientId", c.name as client${personColumns}
   from found join leads l using (id) join oauth_clients c on c.id = l.client_id
   order by l.created_at desc, l.id limit :limit`,
  selected: `${FOUND_SQL} select id from found`,
});

type FindParams = ReturnType<typeof parametersOf>;

const FIND_LEADS = pageStatements<FindParams, FoundLead>('find_leads', foundLeads());

const FIND_LEADS_WITH_PERSONS = pageStatements<FindParams, FoundLead & FoundPerson>(
  'find_leads_with_persons',
  foundLeads(`, l.lead_first_name as "firstName", l.lead_last_name as "lastName", l.lead_phones as phones,
     l.lead_emails as emails`),
);
