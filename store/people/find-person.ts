import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { mobileNumbers, searchTextOf } from '../../domain/people/person-points.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { escapeLike, type LeadQuery } from '../leads/find-leads.ts';

/** A customer: a contact with all its leads, or several contacts if the query has phones or emails of several. */
export interface Person {
  contactIds: string[];
  /** The phones and emails of the query and of these contacts: phones first. */
  contactPoints: ContactPoint[];
  /** The leads of these contacts, oldest first. */
  leadIds: string[];
  erasedLeadIds: string[];
  /** Leads of other contacts with one of these phones or emails. */
  sharedLeadIds: string[];
}

/** Finds by phones and emails, by the id of a contact or a lead, or by the beginning of an id. */
export async function findPerson(
  sql: Sql,
  { contactPoints: asked, ids }: Pick<LeadQuery, 'contactPoints' | 'ids'>,
): Promise<Person> {
  const range = { firstId: ids?.first ?? null, lastId: ids?.last ?? null };
  const query = { ...pointParameters(asked), ...range };
  const contacts = await sql.all(FIND_CONTACTS, query);
  return readPerson(sql, { contactIds: contacts.map(({ id }) => id), contactPoints: asked });
}

/** Reads the phones, emails and leads of these contacts as they are now. Keeps the phones and emails known already. */
export async function readPerson(
  sql: Sql,
  { contactIds, contactPoints: asked }: Pick<LeadQuery, 'contactPoints'> & { contactIds: string[] },
): Promise<Person> {
  const known = { ...pointParameters(asked), contactIds };
  const contactPoints = await sql.all(READ_POINTS, known);
  const all = { ...pointParameters(contactPoints), contactIds };
  const leads = await sql.first(READ_PERSON_LEADS, all);
  if (leads === null) throw new Error('The leads of a person gave no row.');
  return { contactIds, contactPoints, ...leads };
}

type PersonLeads = Pick<Person, 'leadIds' | 'erasedLeadIds' | 'sharedLeadIds'>;

const ASKED = `select * from unnest(:kinds::text[], :values::text[]) as k (kind, value)`;

const FIND_CONTACTS = statement<
  PointParams & Record<'firstId' | 'lastId', string | null>,
  { id: string }
>(
  'find_contacts',
  `select contact_id as id from contact_points where (kind, value) in (${ASKED})
   union select contact_id from leads where id between :firstId::uuid and :lastId::uuid
   union select id from contacts where id between :firstId::uuid and :lastId::uuid`,
);

const READ_POINTS = statement<PointParams & { contactIds: string[] }, ContactPoint>(
  'read_points',
  `select * from (
     ${ASKED}
     union select kind, value from contact_points where contact_id = any (:contactIds::uuid[])) points
   order by kind desc, value collate "C"`,
);

const READ_PERSON_LEADS = statement<PointParams & { contactIds: string[] }, PersonLeads>(
  'read_person_leads',
  `with found as (
     select id, created_at, erased_at is not null as is_erased, contact_id = any (:contactIds::uuid[]) as is_own
     from leads where contact_id = any (:contactIds)
       or id in (select lead_id from (${ASKED}) k join lead_contact_points p using (kind, value)))
   select array(select id from found where is_own and not is_erased order by created_at, id) as "leadIds",
     array(select id from found where is_own and is_erased) as "erasedLeadIds",
     array(select id from found where not is_own and not is_erased order by created_at, id) as "sharedLeadIds"`,
);

type PointParams = ReturnType<typeof pointParameters>;

function pointParameters(contactPoints: readonly ContactPoint[]) {
  return {
    kinds: contactPoints.map(({ kind }) => kind),
    values: contactPoints.map(({ value }) => value),
  };
}

export function ownerParameters(person: Person, now: Date) {
  const { contactIds, contactPoints } = person;
  const leadIds = [...person.leadIds, ...person.erasedLeadIds];
  const numbers = mobileNumbers(contactPoints);
  return { leadIds, contactIds, numbers, ...pointParameters(contactPoints), now };
}

export interface FoundContact {
  contactId: string;
  leads: number;
  firstAt: Date;
  lastAt: Date;
  names: string[];
  phones: string[];
  emails: string[];
}

export function readContacts(sql: Sql, { contactIds }: Person): Promise<FoundContact[]> {
  return sql.all(READ_CONTACTS, { contactIds });
}

const valuesOf = (kind: ContactPoint['kind']) =>
  `array(select value from contact_points where contact_id = l.contact_id and kind = '${kind}' order by 1)`;
const NAME = `concat_ws(' ', lead_first_name, coalesce(lead_middle_name, lead_second_name), lead_last_name)`;

const READ_CONTACTS = statement<{ contactIds: string[] }, FoundContact>(
  'read_contacts',
  `select l.contact_id as "contactId", count(*)::int as leads, min(l.created_at) as "firstAt",
     max(l.created_at) as "lastAt", array_remove(array_agg(distinct ${NAME}), '') as names,
     ${valuesOf('phone')} as phones, ${valuesOf('email')} as emails
   from leads l where l.contact_id = any (:contactIds::uuid[]) and l.erased_at is null
   group by l.contact_id order by max(l.created_at) desc, l.contact_id`,
);

/** An integrator's handle of a lead, which an erasure keeps. */
export interface Reference {
  leadId: string;
  integrationRef: string;
}

/** The leads whose `integrationRef` contains one of these phones or emails. Reads all leads. */
export function findReferences(sql: Sql, { contactPoints }: Person): Promise<Reference[]> {
  return sql.all(FIND_REFERENCES, mentionParameters(contactPoints));
}

const WESTERN_DIGITS = `'٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'`;

/** Whether a text contains the digits of a phone or an email, by `mentionParameters`. */
export const mentions = (text: string) => `
  (translate(${text}, ${WESTERN_DIGITS}) ~ any (:digits::text[]) or lower(${text}) like any (:words::text[]))`;

export type MentionParams = ReturnType<typeof mentionParameters>;

export function mentionParameters(contactPoints: readonly ContactPoint[]) {
  const textsOf = (asked: ContactPoint['kind']) =>
    contactPoints.filter(({ kind }) => kind === asked).map(searchTextOf);
  return {
    digits: textsOf('phone').map((digits) => [...digits].join('[^0-9]*')),
    words: textsOf('email').map((word) => `%${escapeLike(word)}%`),
  };
}

const FIND_REFERENCES = statement<MentionParams, Reference>(
  'find_references',
  `select id as "leadId", integration_ref as "integrationRef" from leads
   where ${mentions('integration_ref')} order by created_at, id`,
);
