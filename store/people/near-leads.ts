import { nearness, nearQuery } from '../../domain/people/near-texts.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Sql } from '../db/database.ts';

/** A phone or an e-mail of a lead, as it was sent. */
export interface SentText {
  leadId: string;
  contactId: string;
  createdAt: Date;
  text: string;
}

/** Where nothing is kept under a phone or e-mail: the nearest texts that were sent as one, with their leads. */
export async function findNearTexts(
  sql: Sql,
  asked: readonly ContactPoint[],
  text: string,
): Promise<SentText[]> {
  const query = nearQuery(asked, text);
  if (query.digits.length + query.words.length === 0) return [];
  const found = await sql.query<SentText>(SENT_TEXTS_SQL, query);
  const near = found.flatMap((sent) => {
    const distance = nearness(asked, text, sent.text);
    return distance === null ? [] : [{ distance, sent }];
  });
  near.sort(
    (a, b) => a.distance - b.distance || Number(b.sent.createdAt) - Number(a.sent.createdAt),
  );
  return near.map(({ sent }) => sent);
}

const LATIN_DIGITS = `translate(text, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹０１２３４５６７８９', '012345678901234567890123456789')`;

/** More than anybody reads; the nearest of them are shown. */
const MANY_TEXTS = 10_000;

/** Reads all leads, for an operator's command. It selects more than what is near. */
const SENT_TEXTS_SQL = `
select distinct id as "leadId", contact_id as "contactId", created_at as "createdAt", text
from (
  select id, contact_id, created_at, unnest(lead_phones || lead_emails) as text
  from leads where erased_at is null) sent
cross join lateral (
  select regexp_replace(${LATIN_DIGITS}, '[^0-9]', '', 'g') as digits, lower(text) as words offset 0) t
where exists (select from unnest(:digits::text[]) d where position(d in t.digits) > 0)
  or exists (select from unnest(:words::text[]) w where position(w in t.words) > 0)
limit ${MANY_TEXTS}`;
