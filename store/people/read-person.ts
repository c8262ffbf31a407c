import { type ColumnValue, isEmptyColumn, toCamelCase } from '../../domain/leads/fields.ts';
import { mobileNumbers, searchTextOf } from '../../domain/people/person-points.ts';
import { readAssignmentHistory } from '../assignment/read-assignment.ts';
import type { Sql } from '../db/database.ts';
import { type NoParams, statement } from '../db/statement.ts';
import { readChecksOf } from '../dncr/checks.ts';
import { readLeadEvents, readTimeline } from '../leads/read-lead.ts';
import { readRecordNames, withNames } from '../routing/rulesets.ts';
import type { PersonalRows, Row } from './personal-columns.ts';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { escapeLike, type LeadQuery } from '../leads/find-leads.ts';

type Names = ReadonlyMap<string, string>;

const OF_LEAD = [
  'lead_contact_points',
  'submissions',
  'comments',
  'quiz_answers',
  'ad_platform_blocks',
];
const SHOWN_ELSEWHERE = ['leads', 'contact_points', ...OF_LEAD];

export async function readWholePerson(
  sql: Sql,
  person: Person,
  rows: PersonalRows,
  hashOf: (number: string) => Buffer,
) {
  const leads = [];
  for (const id of person.leadIds) leads.push(await readLead(sql, id, rows));
  const others = Object.entries(rows).filter(([table]) => !SHOWN_ELSEWHERE.includes(table));
  return {
    contactPoints: person.contactPoints,
    leads,
    ...Object.fromEntries(others.map((table) => tableView(table))),
    dncrChecks: await readChecks(sql, person, hashOf),
  };
}

async function readLead(sql: Sql, leadId: string, rows: PersonalRows) {
  const lead = rows.leads?.find(({ id }) => id === leadId) ?? {};
  const ofLead = OF_LEAD.map((table) => {
    const own = rows[table]?.filter((row) => row.lead_id === leadId) ?? [];
    return [table, own.map(({ lead_id: _leadId, ...row }) => row)] as const;
  });
  const history = await readAssignmentHistory(sql, leadId);
  const timeline = await readTimeline(sql, leadId);
  const names = await readNames(sql, [lead, history, timeline]);
  const filled = Object.entries(lead).filter(([, value]) => !isEmptyColumn(value as ColumnValue));
  return {
    ...viewOf(Object.fromEntries(filled), names),
    ...Object.fromEntries(ofLead.map((table) => tableView(table, names))),
    assignments: history.map(({ explanation: _explanation, ...entry }) => ({
      ...entry,
      reason: withNames(entry.reason, names),
    })),
    timeline: timeline.map((note) => ({ ...note, text: withNames(note.text, names) })),
    webhookEvents: await readEvents(sql, leadId, names),
  };
}

async function readNames(sql: Sql, value: unknown): Promise<Names> {
  const names = await readRecordNames(sql, value);
  for (const { id, clientId, name } of await sql.all(READ_CLIENT_NAMES, {}))
    names.set(id, name).set(clientId, name);
  return names;
}

const READ_CLIENT_NAMES = statement<NoParams, { id: string; clientId: string; name: string }>(
  'read_client_names',
)`
select id, client_id as "clientId", name from oauth_clients`;

/** Shows only the host, because an integrator's URL may contain a secret. */
async function readEvents(sql: Sql, leadId: string, names: Names) {
  const events = await readLeadEvents(sql, leadId);
  return events.map(({ deliveries, ...event }) => ({
    ...viewOf(event, names),
    deliveries: deliveries.map(({ url, ...delivery }) => ({ to: new URL(url).host, ...delivery })),
  }));
}

async function readChecks(sql: Sql, person: Person, hashOf: (number: string) => Buffer) {
  const checks = [];
  for (const number of mobileNumbers(person.contactPoints)) {
    const found = await readChecksOf(sql, hashOf(number), null);
    checks.push(...found.rows.map((check) => ({ number, ...check })));
  }
  return checks;
}

function tableView([table, rows]: readonly [string, readonly Row[]], names?: Names) {
  return [toCamelCase(table), rows.map((row) => viewOf(row, names))] as const;
}

function viewOf(row: object, names?: Names): Row {
  const named = (value: unknown) => {
    const name = typeof value === 'string' ? names?.get(value) : undefined;
    return name === undefined ? value : { id: value, name };
  };
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      toCamelCase(column),
      Array.isArray(value) ? value.map(named) : named(value),
    ]),
  );
}

/** A contact with all its leads, or several contacts if the query matches several. */
export interface Person {
  contactIds: string[];
  /** Of the query and these contacts, phones first. */
  contactPoints: ContactPoint[];
  leadIds: string[];
  erasedLeadIds: string[];
  /** Leads of other contacts that share a phone or email. */
  sharedLeadIds: string[];
}

/** By phones and emails, or by the id of a contact or lead or its prefix. */
export async function findPerson(
  sql: Sql,
  { contactPoints: asked, ids }: Pick<LeadQuery, 'contactPoints' | 'ids'>,
): Promise<Person> {
  const range = { firstId: ids?.first ?? null, lastId: ids?.last ?? null };
  const query = { ...pointParameters(asked), ...range };
  const contacts = await sql.all(FIND_CONTACTS, query);
  return readPerson(sql, { contactIds: contacts.map(({ id }) => id), contactPoints: asked });
}

/** Adds to the phones and emails known already. */
export async function readPerson(
  sql: Sql,
  { contactIds, contactPoints }: Pick<LeadQuery, 'contactPoints'> & { contactIds: string[] },
): Promise<Person> {
  const found = await sql.first(READ_PERSON, { ...pointParameters(contactPoints), contactIds });
  if (found === null) throw new Error('The read of a person gave no row.');
  return { contactIds, ...found };
}

const ASKED = `select * from unnest(:kinds::text[], :values::text[]) as k (kind, value)`;

const FIND_CONTACTS = statement<
  PointParams & Record<'firstId' | 'lastId', string | null>,
  { id: string }
>('find_contacts')`
select contact_id as id from contact_points where (kind, value) in (${ASKED})
union select contact_id from leads where id between :firstId::uuid and :lastId::uuid
union select id from contacts where id between :firstId::uuid and :lastId::uuid`;

const READ_PERSON = statement<PointParams & { contactIds: string[] }, Omit<Person, 'contactIds'>>(
  'read_person',
)`
with points as (
  ${ASKED}
  union select kind, value from contact_points where contact_id = any (:contactIds::uuid[])),
found as (
  select id, created_at, erased_at is not null as is_erased, contact_id = any (:contactIds::uuid[]) as is_own
  from leads where contact_id = any (:contactIds)
    or id in (select lead_id from points join lead_contact_points p using (kind, value)))
select array(select id from found where is_own and not is_erased order by created_at, id) as "leadIds",
  array(select id from found where is_own and is_erased) as "erasedLeadIds",
  array(select id from found where not is_own and not is_erased order by created_at, id) as "sharedLeadIds",
  (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'value', value)
    order by kind desc, value collate "C"), '[]') from points) as "contactPoints"`;

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

const READ_CONTACTS = statement<{ contactIds: string[] }, FoundContact>('read_contacts')`
select l.contact_id as "contactId", count(*)::int as leads, min(l.created_at) as "firstAt",
  max(l.created_at) as "lastAt", array_remove(array_agg(distinct ${NAME}), '') as names,
  ${valuesOf('phone')} as phones, ${valuesOf('email')} as emails
from leads l where l.contact_id = any (:contactIds::uuid[]) and l.erased_at is null
group by l.contact_id order by max(l.created_at) desc, l.contact_id`;

/** An integrator's reference, which an erasure keeps. */
export interface Reference {
  leadId: string;
  integrationRef: string;
}

/** Searches `integrationRef` of all leads. */
export function findReferences(sql: Sql, { contactPoints }: Person): Promise<Reference[]> {
  return sql.all(FIND_REFERENCES, mentionParameters(contactPoints));
}

const WESTERN_DIGITS = `'٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'`;

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

const FIND_REFERENCES = statement<MentionParams, Reference>('find_references')`
select id as "leadId", integration_ref as "integrationRef" from leads
where ${mentions('integration_ref')} order by created_at, id`;
