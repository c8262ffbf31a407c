import { includesPoint, mobileNumbers } from '../../domain/people/contact-points.ts';
import { contactPointsOf, type ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Sql } from '../db/database.ts';
import { readChecksOf } from '../dncr/read-history.ts';
import { ownerParameters, type Person, type PersonLead } from './find-person.ts';
import { personalData } from './personal-data.ts';
import { camelCased, readLeadRecord } from './read-lead-record.ts';
import type { ScopedPerson } from './scope.ts';

/** All that is kept of a person; run it in one transaction, so that all of it is of one moment. */
export async function readPerson(
  sql: Sql,
  { person, ofOthers }: ScopedPerson,
  known: readonly ContactPoint[],
  { now, hashOf }: { now: Date; hashOf: (number: string) => Buffer },
) {
  const parameters = ownerParameters(person, now);
  const rows = async (table: string) => {
    const found = await sql.query<{ row: object }>(rowsSql(table), parameters);
    return found.map(({ row }) => camelCased(row));
  };
  const leads = [];
  for (const { id, isShared } of person.leads)
    leads.push({ ...(await readLeadRecord(sql, id)), isOfAnotherContact: isShared });
  for (const lead of ofOthers) leads.push(await readSharedLead(sql, lead, known));
  return {
    contactPoints: person.contactPoints,
    contacts: await rows('contacts'),
    leads,
    operatorTexts: await rows('operator_texts'),
    knownAgents: await rows('known_agents'),
    dncr: { answers: await rows('dncr_answers'), checks: await readChecks(sql, person, hashOf) },
  };
}

/** Of a lead that belongs to another contact: that it names the person. */
async function readSharedLead(
  sql: Sql,
  { id, createdAt }: PersonLead,
  known: readonly ContactPoint[],
) {
  const sent = await sql.queryOne<{ client: string; phones: string[]; emails: string[] }>(
    SHARED_LEAD_SQL,
    { id },
  );
  const named = contactPointsOf(sent?.phones ?? [], sent?.emails ?? []);
  const contactPoints = known.filter((point) => includesPoint(named, point));
  return { id, client: sent?.client, createdAt, contactPoints, isOfAnotherContact: true };
}

const SHARED_LEAD_SQL = `
select c.name as client, l.lead_phones as phones, l.lead_emails as emails
from leads l join oauth_clients c on c.id = l.client_id where l.id = :id`;

const rowsSql = (table: string) =>
  `select row_to_json(${table}) as row from ${table} where ${personalData[table]?.where}`;

/** More than anybody asks about one number. */
const MANY_CHECKS = 1_000_000;

async function readChecks(sql: Sql, person: Person, hashOf: (number: string) => Buffer) {
  const checks = [];
  for (const number of mobileNumbers(person.contactPoints)) {
    const found = await readChecksOf(sql, hashOf(number), MANY_CHECKS);
    checks.push(...found.rows.map((check) => ({ number, ...check })));
  }
  return checks;
}
