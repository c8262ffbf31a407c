import { mobileNumbers } from '../../domain/people/contact-points.ts';
import type { Sql } from '../db/database.ts';
import { readChecksOf } from '../dncr/read-history.ts';
import { ownerParameters, type Person } from './find-person.ts';
import { personalData } from './personal-data.ts';
import { camelCased, readLeadRecord } from './read-lead-record.ts';

/** All that is kept of a person; run it in one transaction, so that all of it is of one moment. */
export async function readPerson(
  sql: Sql,
  person: Person,
  { now, hashOf }: { now: Date; hashOf: (number: string) => Buffer },
) {
  const parameters = ownerParameters(person, now);
  const rows = async (table: string) => {
    const found = await sql.query<{ row: object }>(rowsSql(table), parameters);
    return found.map(({ row }) => camelCased(row));
  };
  const leads = [];
  for (const { id } of person.leads) leads.push(await readLeadRecord(sql, id));
  return {
    contactPoints: person.contactPoints,
    contacts: await rows('contacts'),
    leads,
    operatorTexts: await rows('operator_texts'),
    knownAgents: await rows('known_agents'),
    dncr: { answers: await rows('dncr_answers'), checks: await readChecks(sql, person, hashOf) },
  };
}

const rowsSql = (table: string) =>
  `select row_to_json(${table}) as row from ${table} where ${personalData[table]?.where}`;

/** More than anybody asks about one number. */
const MANY_CHECKS = 1_000_000;

async function readChecks(sql: Sql, person: Person, hashOf: (number: string) => Buffer) {
  const checks = [];
  for (const number of mobileNumbers(person.contactPoints)) {
    const found = await readChecksOf(sql, hashOf(number), MANY_CHECKS);
    checks.push(...found.map((check) => ({ number, ...check })));
  }
  return checks;
}
