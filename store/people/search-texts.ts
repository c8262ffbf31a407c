import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { NearQuery } from '../../domain/people/near-texts.ts';
import { searchTextOf } from '../../domain/people/contact-points.ts';
import type { Sql } from '../db/database.ts';

/**
 * Searches of whole tables, for an operator's command: rows that were written by earlier rules hold a phone or an
 * e-mail in other forms. Each of these selects more than what is meant; the caller reads the texts and decides. A
 * million rows take a second or two.
 */

const LATIN_DIGITS = `translate(text, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹０１２３４５６７８９', '012345678901234567890123456789')`;

/** Of a table expression with a column `text`: the rows that contain one of the digits or words. */
const containing = (table: string) => `
${table} cross join lateral (
  select regexp_replace(${LATIN_DIGITS}, '[^0-9]', '', 'g') as digits, lower(text) as words offset 0) t
where exists (select from unnest(:digits::text[]) d where position(d in t.digits) > 0)
  or exists (select from unnest(:words::text[]) w where position(w in t.words) > 0)`;

function parametersOf(points: readonly ContactPoint[]): NearQuery {
  const textsOf = (kind: ContactPoint['kind']) =>
    points.flatMap((point) => (point.kind === kind ? searchTextOf(point) || [] : []));
  return { digits: textsOf('phone'), words: textsOf('email') };
}

/** The contacts one of whose stored phones and e-mails may name one of these. */
export async function searchContacts(sql: Sql, points: readonly ContactPoint[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(CONTACTS_SQL, parametersOf(points));
  return rows.map(({ id }) => id);
}

const CONTACTS_SQL = `
select distinct contact_id as id
from ${containing('(select contact_id, value as text from contact_points) p')}`;

/** The leads that may name one of these. */
export async function searchLeads(sql: Sql, points: readonly ContactPoint[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(LEADS_SQL, parametersOf(points));
  return rows.map(({ id }) => id);
}

const LEADS_SQL = `
select distinct lead_id as id
from ${containing('(select lead_id, value as text from lead_contact_points) p')}`;

export interface SentText {
  leadId: string;
  contactId: string;
  createdAt: Date;
  text: string;
}

/** More than anybody reads; the nearest of them are shown. */
const MANY_TEXTS = 10_000;

/** The phones and e-mails as they were sent that may be near to a text. */
export function searchSentTexts(sql: Sql, near: NearQuery): Promise<SentText[]> {
  return sql.query<SentText>(SENT_TEXTS_SQL, near);
}

const SENT_TEXTS_SQL = `
select distinct id as "leadId", contact_id as "contactId", created_at as "createdAt", text
from ${containing(`(
  select id, contact_id, created_at, unnest(lead_phones || lead_emails) as text
  from leads where erased_at is null) p`)}
limit ${MANY_TEXTS}`;
