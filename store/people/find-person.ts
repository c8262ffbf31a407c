import { readContactPoints, type ContactPoint } from '../../domain/leads/contact-points.ts';
import {
  holdsText,
  includesPoint,
  mobileNumbers,
  nearness,
  nearQuery,
  searchTextOf,
  sortContactPoints,
} from '../../domain/people/person-search.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import {
  escapeLike,
  HAS_WHOLE_NAME,
  NAMED_LEADS_SQL,
  nameParameters,
} from '../leads/find-leads.ts';
import { countOwnedRows } from './personal-columns.ts';

/** All that is known by one phone or e-mail. */
export interface Person {
  contactIds: string[];
  /** The phones and e-mails asked for, and every other one of these contacts. */
  contactPoints: ContactPoint[];
  /** The leads of these contacts, and others that hold one of these phones or e-mails; oldest first. */
  leads: PersonLead[];
}

export interface PersonLead {
  id: string;
  contactId: string;
  createdAt: Date;
  /** Whether it is another contact's: only what it names of the person is the person's. */
  isShared: boolean;
}

/**
 * The contact that holds a phone or e-mail, everything that it is known by, and every lead that names any of
 * that. Leads that are erased already are left out.
 */
export async function findPersonIn(sql: Sql, asked: readonly ContactPoint[]): Promise<Person> {
  const holders = await sql.query<{ id: string }>(HOLDERS_SQL, pointParameters(asked));
  const contactIds = holders.map(({ id }) => id);
  const held = await sql.query<ContactPoint>(HELD_SQL, { contactIds });
  const contactPoints = sortContactPoints([...asked, ...held]);
  const named = { ...pointParameters(contactPoints), contactIds };
  const leads = await sql.query<PersonLead>(LEADS_SQL, named);
  return { contactIds, contactPoints, leads };
}

const HOLDERS_SQL = `
select distinct contact_id as id from contact_points
where (kind, value) in (select * from unnest(:kinds::text[], :values::text[]))`;

const HELD_SQL = `select kind, value from contact_points where contact_id = any (:contactIds::uuid[])`;

const LEADS_SQL = `
select l.id, l.contact_id as "contactId", l.created_at as "createdAt",
  l.contact_id <> all (:contactIds::uuid[]) as "isShared" from (
  select id from leads where contact_id = any (:contactIds)
  union select p.lead_id from unnest(:kinds::text[], :values::text[]) as k (kind, value)
    join lead_contact_points p on p.kind = k.kind and p.value = k.value) named
join leads l on l.id = named.id and l.erased_at is null
order by l.created_at, l.id`;

/** A contact with leads that are not erased. The person's own data is read only on demand. */
export interface FoundContact {
  contactId: string;
  leads: number;
  firstAt: Date;
  lastAt: Date;
  names?: string[];
  phones?: string[];
  emails?: string[];
}

/** The contacts whose leads have a name with these words, or `isWhole` no other ones, the newest first. */
export async function findNamedContacts(
  sql: Sql,
  nameWords: readonly string[],
  { isWhole = false } = {},
): Promise<string[]> {
  const values = { ...nameParameters(nameWords), isWhole };
  const rows = await sql.query<{ id: string }>(NAMED_CONTACTS_SQL, values);
  return rows.map(({ id }) => id);
}

const NAMED_CONTACTS_SQL = `
select l.contact_id as id from leads l where l.id in (${NAMED_LEADS_SQL}) and l.erased_at is null
  and (not :isWhole or ${HAS_WHOLE_NAME})
group by l.contact_id order by max(l.created_at) desc, l.contact_id`;

export async function readContacts(
  sql: Sql,
  contactIds: readonly string[],
  { personal }: { personal: boolean },
): Promise<FoundContact[]> {
  return sql.query<FoundContact>(contactsSql(personal ? PERSONAL_SQL : ''), { contactIds });
}

const PERSONAL_SQL = `,
  array_remove(array_agg(distinct nullif(concat_ws(' ', lead_first_name, lead_middle_name, lead_last_name), '')), null) as names,
  array(select value from contact_points p where p.contact_id = l.contact_id and kind = 'phone' order by 1) as phones,
  array(select value from contact_points p where p.contact_id = l.contact_id and kind = 'email' order by 1) as emails`;

const contactsSql = (personal: string) => `
select l.contact_id as "contactId", count(*)::int as leads, min(l.created_at) as "firstAt", max(l.created_at) as "lastAt"${personal}
from leads l where l.contact_id = any (:contactIds::uuid[]) and l.erased_at is null
group by l.contact_id order by max(l.created_at) desc, l.contact_id`;

/** All that a contact is known by. */
export function readPointsOf(sql: Sql, contactId: string): Promise<ContactPoint[]> {
  return sql.query<ContactPoint>(HELD_SQL, { contactIds: [contactId] });
}

/** In one snapshot: an enquiry that is committed meanwhile is there with its contact or not at all. */
export function findPerson(database: Database, asked: readonly ContactPoint[]): Promise<Person> {
  return database.transaction((sql) => findPersonIn(sql, asked), SNAPSHOT);
}

function pointParameters(contactPoints: readonly ContactPoint[]) {
  return {
    kinds: contactPoints.map(({ kind }) => kind),
    values: contactPoints.map(({ value }) => value),
  };
}

/**
 * The same person, of the named leads alone: a contact only where no other lead of it stays, and what these leads name,
 * also where it is only near what was asked for.
 */
export async function limitToLeads(
  sql: Sql,
  person: Person,
  leads: readonly PersonLead[],
): Promise<Person> {
  const leadIds = leads.map(({ id }) => id);
  const whole = await sql.query<{ id: string }>(WHOLE_CONTACTS_SQL, { leadIds });
  const texts = await readSentTexts(sql, leads);
  const isNamed = (point: ContactPoint) => texts.some((text) => holdsText(text, point));
  return {
    contactIds: whole.map(({ id }) => id).filter((id) => leads.some((l) => l.contactId === id)),
    contactPoints: sortContactPoints([
      ...texts.flatMap(readContactPoints),
      ...person.contactPoints.filter(isNamed),
    ]),
    leads: [...leads],
  };
}

const WHOLE_CONTACTS_SQL = `
select contact_id as id from leads where contact_id in (select contact_id from leads where id = any (:leadIds::uuid[]))
  and erased_at is null
group by contact_id having bool_and(id = any (:leadIds))`;

async function readSentTexts(sql: Sql, leads: readonly PersonLead[]): Promise<string[]> {
  const leadIds = leads.map(({ id }) => id);
  const sent = await sql.query<{ text: string }>(SENT_TEXTS_SQL, { leadIds });
  return sent.map(({ text }) => text);
}

const SENT_TEXTS_SQL = `
select unnest(lead_phones || lead_emails) as text from leads where id = any (:leadIds::uuid[])`;

/** All phones and e-mails that these leads name. */
export async function pointsNamedBy(sql: Sql, leads: readonly PersonLead[]) {
  return (await readSentTexts(sql, leads)).flatMap(readContactPoints);
}

/** The person's phones and e-mails that no other lead names. */
export async function pointsOfNoOtherLead(sql: Sql, person: Person): Promise<ContactPoint[]> {
  const leadIds = person.leads.map(({ id }) => id);
  const values = { ...pointParameters(person.contactPoints), leadIds };
  const others = await sql.query<ContactPoint>(NAMED_ELSEWHERE_SQL, values);
  return person.contactPoints.filter((point) => !includesPoint(others, point));
}

const NAMED_ELSEWHERE_SQL = `
select distinct kind, value from lead_contact_points
where (kind, value) in (select * from unnest(:kinds::text[], :values::text[]))
  and lead_id <> all (:leadIds::uuid[])`;

/** The parameters of the conditions in `personalData`. */
export function ownerParameters({ contactIds, contactPoints, leads }: Person, now: Date) {
  const numbers = mobileNumbers(contactPoints);
  const leadIds = leads.map(({ id }) => id);
  return { leadIds, contactIds, numbers, ...pointParameters(contactPoints), now };
}

/** Counts per table the rows with data of the person. */
export function countPersonalRows(sql: Sql, person: Person, now: Date) {
  return countOwnedRows(sql, ownerParameters(person, now));
}

/** A phone or an e-mail of a lead, as it was sent. */
export interface SentText {
  leadId: string;
  contactId: string;
  createdAt: Date;
  text: string;
}

/** The texts nearest to a phone or e-mail that were sent as one, with their leads, also those under it itself. */
export async function findNearTexts(sql: Sql, asked: readonly ContactPoint[], text: string) {
  const found = await searchTexts(sql, 'lead_phones || lead_emails', nearQuery(asked, text));
  const near = found.flatMap((sent) => {
    const distance = nearness(asked, text, sent.text);
    return distance === null ? [] : [{ distance, sent }];
  });
  near.sort(
    (a, b) => a.distance - b.distance || Number(b.sent.createdAt) - Number(a.sent.createdAt),
  );
  return near.map(({ sent }) => sent);
}

/** The leads whose `integrationRef`, which an erasure keeps, contains one of these phones or emails. */
export async function findReferences(sql: Sql, asked: readonly ContactPoint[]) {
  const [digits = [], words = []] = ['phone', 'email'].map((sought) =>
    asked.filter(({ kind }) => kind === sought).map(searchTextOf),
  );
  return searchTexts(sql, 'array[integration_ref]', { digits, words });
}

async function searchTexts(sql: Sql, texts: string, query: ReturnType<typeof nearQuery>) {
  if (query.digits.length + query.words.length === 0) return [];
  return sql.query<SentText>(searchTextsSql(texts), {
    digits: digitsPattern(query.digits),
    words: query.words.map((word) => `%${escapeLike(word)}%`),
  });
}

/** The first digit of each script in which people write phones. */
const ZEROS = [...'0٠۰０०০੦૦୦௦౦೦൦๐໐၀០'];
const ANY_DIGITS = ZEROS.map((zero) => `${zero}-${digitAfter(zero, 9)}`).join('');

/** A regular expression of texts that hold one of the runs of digits, with other characters between them. */
function digitsPattern(runs: readonly string[]): string {
  const between = `[^${ANY_DIGITS}]*`;
  return runs.map((run) => [...run].map(digitInAnyScript).join(between)).join('|');
}

function digitInAnyScript(digit: string): string {
  return `[${ZEROS.map((zero) => digitAfter(zero, Number(digit))).join('')}]`;
}

function digitAfter(zero: string, count: number): string {
  return String.fromCodePoint((zero.codePointAt(0) ?? 0) + count);
}

/** More than anybody reads; the nearest of them are shown. */
const MANY_TEXTS = 10_000;

/**
 * Reads all leads, for an operator's command: about a second for 100,000. Taking the digits out of each text would take six
 * times as long. It selects more than what is near.
 */
const searchTextsSql = (texts: string) => `
select distinct id as "leadId", contact_id as "contactId", created_at as "createdAt", text
from (
  select id, contact_id, created_at, unnest(${texts}) as text from leads) sent
where (:digits::text <> '' and text ~ :digits)
  or (cardinality(:words::text[]) > 0 and lower(text) like any(:words::text[]))
order by "createdAt", "leadId" limit ${MANY_TEXTS}`;
