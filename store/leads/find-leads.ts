import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { LeadStatus } from '../../workflows/contracts/lead-snapshot.ts';
import type { Sql } from '../db/database.ts';
import { withTotal, type Page } from '../db/page.ts';

export interface FoundLead {
  id: string;
  status: LeadStatus;
  agent: { id: string; name: string; email: string } | null;
  pool: string | null;
  source: string | null;
  createdAt: Date;
  /** The client's id, as it sends it for a token. */
  clientId: string;
  client: string;
}

export interface FoundPerson {
  firstName: string | null;
  lastName: string | null;
  phones: string[];
  emails: string[];
}

export interface LeadQuery {
  contactPoints: readonly ContactPoint[];
  /** An integrator's reference, or an ad platform's id of a lead. */
  reference: string;
  /** The last digits of a phone; null: the text is none. */
  lastDigits: string | null;
  /** The words of a name, each the beginning of one of the customer's; none: the text is no name. */
  nameWords: readonly string[];
  /** The first and the last uuid that begin as the text does; null: none do. */
  ids: { first: string; last: string } | null;
  limit: number;
}

/**
 * Finds the leads that a text names, and all leads of a person that it names, newest first. Each condition reads an
 * index.
 */
export function findLeads(sql: Sql, query: LeadQuery): Promise<Page<FoundLead>> {
  return findPage<FoundLead>(sql, query, '');
}

/** Finds the same leads with the customer's own data, which is read only when an operator asks for it by name. */
export function findLeadsWithPersons(sql: Sql, query: LeadQuery) {
  return findPage<FoundLead & FoundPerson>(sql, query, PERSON_COLUMNS);
}

const PERSON_COLUMNS = `,
  l.lead_first_name as "firstName", l.lead_last_name as "lastName", l.lead_phones as phones,
  l.lead_emails as emails`;

async function findPage<Row extends object>(
  sql: Sql,
  query: LeadQuery,
  person: string,
): Promise<Page<Row>> {
  const values = parametersOf(query);
  const rows = await sql.query<Row>(findLeadsSql(person), values);
  return withTotal(sql, rows, { selection: `${FOUND_SQL} select id from found`, values });
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

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

/** A `like` by prefix that reads an index even where the text is not known when the statement is planned. */
const beginsWith = (column: string, text: string) =>
  `${column} ~>=~ ${text} and ${column} ~<~ (${text} || chr(1114111))`;

const NAMES = `lower(concat(' ', l.lead_first_name, ' ', l.lead_middle_name, ' ', l.lead_second_name, ' ', l.lead_last_name, ' '))`;

/** Whether each word begins one of the names of lead `l`. */
const IS_NAMED = `${NAMES} like all (:withinName::text[])`;

const sortedWords = (words: string) =>
  `(select array_agg(word order by word collate "C") from ${words} word where word <> '')`;

/** Whether the words are the whole name of lead `l`, in any order. */
export const HAS_WHOLE_NAME = `${sortedWords(`regexp_split_to_table(${NAMES}, '[\\s,;]+')`)}
      = ${sortedWords('unnest(:words::text[])')}`;

/** The leads of people with these names, as `nameParameters` gives them. */
export const NAMED_LEADS_SQL = `
  select named.id from unnest(:words::text[]) word cross join lateral (
      select id from leads l where ${beginsWith('lower(lead_first_name)', 'word')} and ${IS_NAMED}
      union all
      select id from leads l where ${beginsWith('lower(lead_last_name)', 'word')} and ${IS_NAMED} offset 0) named`;

/** The parameters of `NAMED_LEADS_SQL`: each word begins a name. */
export function nameParameters(nameWords: readonly string[]) {
  const words = nameWords.map((word) => word.toLowerCase());
  return { words, withinName: words.map((word) => `% ${escapeLike(word)}%`) };
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
  union select lead_id from ad_platform_blocks where ad_platform_lead_id = :reference
  union select id from leads where id between :firstId::uuid and :lastId::uuid
  union select id from leads where contact_id between :firstId::uuid and :lastId::uuid)`;

const findLeadsSql = (person: string) => `${FOUND_SQL}
select l.id, l.assignment_status as status,
  (select jsonb_build_object('id', g.id, 'name', g.name, 'email', g.email)
   from agents g where g.id = l.owner_id) as agent,
  (select name from list_entries where id = l.pool_id) as pool,
  (select name from list_entries where id = l.source_id) as source,
  l.created_at as "createdAt",
  c.client_id as "clientId", c.name as client${person}
from found join leads l using (id) join oauth_clients c on c.id = l.client_id
order by l.created_at desc, l.id limit :limit`;
