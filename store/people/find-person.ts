import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { mobileNumbers } from '../../domain/people/contact-points.ts';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import { personalData } from './personal-data.ts';

/** All that is known by one phone or e-mail. */
export interface Person {
  contactIds: string[];
  /** The one asked for, and every other one of these contacts. */
  contactPoints: ContactPoint[];
  /** Of these contacts, and of others where they hold one of these phones or e-mails; oldest first. */
  leads: PersonLead[];
}

interface PersonLead {
  id: string;
  createdAt: Date;
  /** Of another contact: only the lead is the person's. */
  isShared: boolean;
}

/**
 * The contact that holds a phone or e-mail, everything that it is known by, and every lead that names any of
 * that. Leads that are erased already are left out.
 */
export async function findPersonIn(sql: Sql, asked: ContactPoint): Promise<Person> {
  const rows = await sql.query<ContactPoint & { contactId: string }>(CONTACT_SQL, asked);
  const points = rows.map(({ kind, value }) => ({ kind, value }));
  const contactPoints = points.length > 0 ? points : [asked];
  const contactIds = [...new Set(rows.map(({ contactId }) => contactId))];
  const leads = await sql.query<PersonLead>(LEADS_SQL, {
    contactIds,
    ...pointParameters(contactPoints),
  });
  return { contactIds, contactPoints, leads };
}

/** In one snapshot: an enquiry that is committed meanwhile is there with its contact or not at all. */
export function findPerson(database: Database, asked: ContactPoint): Promise<Person> {
  return database.transaction((sql) => findPersonIn(sql, asked), SNAPSHOT);
}

const CONTACT_SQL = `
select p.kind, p.value, p.contact_id as "contactId" from contact_points known
join contact_points p on p.contact_id = known.contact_id
where known.kind = :kind and known.value = :value
order by p.kind desc, p.value`;

const LEADS_SQL = `
select l.id, l.created_at as "createdAt", l.contact_id <> all (:contactIds::uuid[]) as "isShared" from (
  select id from leads where contact_id = any (:contactIds)
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
