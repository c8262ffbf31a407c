import { contactPointsOf, type ContactPoint } from '../../domain/leads/contact-points.ts';
import {
  holdsText,
  includesPoint,
  mobileNumbers,
  readStoredPoint,
  sortContactPoints,
} from '../../domain/people/contact-points.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import { personalData } from './personal-data.ts';
import { searchContacts, searchLeads } from './search-texts.ts';

/** All that is known by one phone or e-mail. */
export interface Person {
  contactIds: string[];
  /** Those asked for, and every other one of these contacts. */
  contactPoints: ContactPoint[];
  /** Of these contacts, and of others where they hold one of these phones or e-mails; oldest first. */
  leads: PersonLead[];
}

export interface PersonLead {
  id: string;
  contactId: string;
  createdAt: Date;
  /** Of another contact: only what it names of the person is the person's. */
  isShared: boolean;
}

/**
 * The contact that holds a phone or e-mail, everything that it is known by, and every lead that names any of
 * that, however it was written. Leads that are erased already are left out.
 */
export async function findPersonIn(sql: Sql, asked: readonly ContactPoint[]): Promise<Person> {
  const contactIds = await findContacts(sql, asked);
  const { contactPoints, stored } = await readContactPointsOf(sql, contactIds, asked);
  const named = { ...pointParameters([...contactPoints, ...stored]), contactIds };
  const leadIds = await findLeadsInOtherForms(sql, contactPoints);
  const leads = await sql.query<PersonLead>(LEADS_SQL, { ...named, leadIds });
  return { contactIds, contactPoints, leads };
}

/** In one snapshot: an enquiry that is committed meanwhile is there with its contact or not at all. */
export function findPerson(database: Database, asked: readonly ContactPoint[]): Promise<Person> {
  return database.transaction((sql) => findPersonIn(sql, asked), SNAPSHOT);
}

/**
 * The contacts that hold one of these. One that holds it in a text with others, as texts were kept before, is the
 * same where today's rules would have made it so: where the text begins with it, or nobody else holds it.
 */
async function findContacts(sql: Sql, asked: readonly ContactPoint[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(HOLDERS_SQL, pointParameters(asked));
  const held = rows.map(({ id }) => id);
  const searched = await searchContacts(sql, asked);
  const others = searched.filter((id) => !held.includes(id));
  const leads = await readSentTexts(sql, { contactIds: others, leadIds: [] });
  const naming = leads.filter(({ read }) => asked.some((point) => includesPoint(read, point)));
  const first = naming.filter(({ read: [begin] }) => begin && includesPoint(asked, begin));
  const own = held.length + first.length > 0 ? first : naming;
  return [...new Set([...held, ...own.map(({ contactId }) => contactId)])];
}

const HOLDERS_SQL = `
select distinct contact_id as id from contact_points
where (kind, value) in (select * from unnest(:kinds::text[], :values::text[]))`;

/** What contacts hold: as it is stored, and as it is read today unless another contact holds that. */
async function readContactPointsOf(
  sql: Sql,
  contactIds: readonly string[],
  asked: readonly ContactPoint[],
) {
  const stored = await sql.query<ContactPoint>(STORED_SQL, { contactIds });
  const leads = await readSentTexts(sql, { contactIds, leadIds: [] });
  const texts = leads.flatMap((lead) => lead.texts);
  const read = stored.flatMap((point) => readStoredPoint(point, texts));
  const values = { ...pointParameters(read), contactIds };
  const ofOthers = await sql.query<ContactPoint>(OF_OTHERS_SQL, values);
  const own = read.filter((point) => !includesPoint(ofOthers, point));
  return { contactPoints: sortContactPoints([...asked, ...own]), stored };
}

const STORED_SQL = `select kind, value from contact_points where contact_id = any (:contactIds::uuid[])`;

const OF_OTHERS_SQL = `
select kind, value from contact_points
where (kind, value) in (select * from unnest(:kinds::text[], :values::text[]))
  and contact_id <> all (:contactIds::uuid[])`;

async function findLeadsInOtherForms(
  sql: Sql,
  contactPoints: readonly ContactPoint[],
): Promise<string[]> {
  const leadIds = await searchLeads(sql, contactPoints);
  const leads = await readSentTexts(sql, { contactIds: [], leadIds });
  const naming = leads.filter(({ read }) =>
    contactPoints.some((point) => includesPoint(read, point)),
  );
  return naming.map(({ leadId }) => leadId);
}

interface SentTexts {
  leadId: string;
  contactId: string;
  texts: string[];
  /** What the texts name, in the order in which a person is searched for. */
  read: ContactPoint[];
}

/** The phones and e-mails of leads, as they were sent. */
async function readSentTexts(
  sql: Sql,
  of: { contactIds: readonly string[]; leadIds: readonly string[] },
): Promise<SentTexts[]> {
  if (of.contactIds.length + of.leadIds.length === 0) return [];
  const rows = await sql.query<{
    leadId: string;
    contactId: string;
    phones: string[];
    emails: string[];
  }>(SENT_TEXTS_SQL, of);
  return rows.map(({ leadId, contactId, phones, emails }) => ({
    ...{ leadId, contactId, texts: [...phones, ...emails] },
    read: contactPointsOf(phones, emails),
  }));
}

const SENT_TEXTS_SQL = `
select id as "leadId", contact_id as "contactId", lead_phones as phones, lead_emails as emails from leads
where (contact_id = any (:contactIds::uuid[]) or id = any (:leadIds::uuid[])) and erased_at is null
order by created_at, id`;

const LEADS_SQL = `
select l.id, l.contact_id as "contactId", l.created_at as "createdAt",
  l.contact_id <> all (:contactIds::uuid[]) as "isShared" from (
  select id from leads where contact_id = any (:contactIds)
  union select unnest(:leadIds::uuid[])
  union select p.lead_id from unnest(:kinds::text[], :values::text[]) as k (kind, value)
    join lead_contact_points p on p.kind = k.kind and p.value = k.value) named
join leads l on l.id = named.id and l.erased_at is null
order by l.created_at, l.id`;

function pointParameters(contactPoints: readonly ContactPoint[]) {
  return {
    kinds: contactPoints.map(({ kind }) => kind),
    values: contactPoints.map(({ value }) => value),
  };
}

/**
 * The same person, of the named leads alone: a contact only where no other lead of it stays, and what these leads
 * name of the person.
 */
export async function limitToLeads(
  sql: Sql,
  person: Person,
  leads: readonly PersonLead[],
): Promise<Person> {
  const leadIds = leads.map(({ id }) => id);
  const whole = await sql.query<{ id: string }>(WHOLE_CONTACTS_SQL, { leadIds });
  const sent = await readSentTexts(sql, { contactIds: [], leadIds });
  const read = sent.flatMap((lead) => lead.read);
  const isNamed = (point: ContactPoint) =>
    includesPoint(read, point) || sent.some(({ texts }) => texts.some((t) => holdsText(t, point)));
  return {
    contactIds: whole.map(({ id }) => id).filter((id) => leads.some((l) => l.contactId === id)),
    contactPoints: person.contactPoints.filter(isNamed),
    leads: [...leads],
  };
}

const WHOLE_CONTACTS_SQL = `
select contact_id as id from leads where contact_id in (select contact_id from leads where id = any (:leadIds::uuid[]))
  and erased_at is null
group by contact_id having bool_and(id = any (:leadIds))`;

/** Of these phones and e-mails those that no lead names besides these leads. */
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

/** How many rows with data of the person each table has. */
export async function countPersonalRows(
  sql: Sql,
  person: Person,
  now: Date,
): Promise<Record<string, number>> {
  const rows = await sql.query<{ name: string; rows: number }>(
    COUNT_SQL,
    ownerParameters(person, now),
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}

const COUNT_SQL = `select * from (${Object.entries(personalData)
  .filter(([, { owner }]) => owner !== null)
  .map(
    ([table, { where }]) =>
      `select '${table}' as name, count(*) as rows from ${table} where ${where}`,
  )
  .join(' union all ')}) counted where rows > 0`;
