import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Database, Sql } from '../db/database.ts';
import { eraseLead, takeOffLead, type LeadErasure } from './erase-lead.ts';
import { ownerParameters, readPerson, type Person } from './find-person.ts';
import { eraseRows, personalData } from './personal-columns.ts';

type PersonErasure = Omit<NewErasure, 'reason'> & Pick<LeadErasure, 'hashesOf'>;

/**
 * Erases a customer lead by lead, the contact with the last one, and leads, phones and emails that arrive before
 * that too, also since the look-up. A later enquiry is of a new contact, and stays. An interrupted erasure is
 * resumed when it is run again: the contact keeps its phones and emails until its last lead is erased. Whatever is
 * found only by them is erased first, while they are known, and again at the end.
 */
export async function erasePerson(
  database: Database,
  found: Person,
  { hashesOf, ...erasure }: PersonErasure,
): Promise<ErasureView | null> {
  const { now } = erasure;
  const erasureId = await beginErasure(database, { ...erasure, reason: 'person' });
  const person = await readPerson(database, found);
  const erased = [...person.contactPoints];
  const collect = (points: readonly ContactPoint[]) => {
    erased.push(...points);
    return hashesOf(points);
  };
  const terms = { erasureId, now, inactiveSince: null, hashesOf: collect };
  await eraseContactPoints(database, person, now);
  for (const id of person.erasedLeadIds) await eraseLead(database, id, terms);
  let left = person.leadIds;
  while (left.length > 0) {
    for (const id of left) await eraseLead(database, id, terms);
    left = await readLeadsOf(database, person);
  }
  await eraseContactPoints(database, { ...person, contactPoints: erased }, now);
  return finishErasure(database, erasureId, now);
}

/** Numbers of checks go first: a check that publishes meanwhile locks them, and its results are found later. */
async function eraseContactPoints(database: Database, person: Person, now: Date): Promise<void> {
  for (const id of person.sharedLeadIds) await takeOffLead(database, id, person.contactPoints);
  const parameters = ownerParameters(person, now);
  await database.transaction(async (sql) => {
    await eraseRows(sql, ['checkNumber'], parameters);
    await eraseRows(sql, ['contactPoint', 'number'], parameters);
  });
}

async function readLeadsOf({ tables, fragment, run }: Sql, { contactIds }: Person) {
  const ofContact = fragment<boolean>`contact_id = any (${contactIds}::uuid[]) and erased_at is null`;
  const leads = await run(tables.selectFrom('leads').where(ofContact).select('id'));
  return leads.map(({ id }) => id);
}

/** An erasure record without its hashes. An interrupted erasure has no `finishedAt`. */
export type ErasureView = Awaited<ReturnType<typeof readErasures>>[number];

interface NewErasure {
  id: string;
  reason: 'person' | 'retention';
  author: string;
  hashes: readonly Buffer[];
  now: Date;
}

/** Writes the erasure record before anything is erased, or resumes an interrupted one; returns its id. */
export async function beginErasure(sql: Sql, { id, reason, author, hashes, now }: NewErasure) {
  const { tables, fragment, run } = sql;
  const open = (await readErasures(sql, reason, hashes)).find((each) => each.finishedAt === null);
  if (!open) {
    const record = { id, reason, author, started_at: now, contact_point_hashes: [...hashes] };
    await run(tables.insertInto('erasures').values(record));
    return id;
  }
  // Adds what became known of the person since.
  const contact_point_hashes = fragment<Buffer[]>`array(
    select unnest(contact_point_hashes) union select unnest(${hashes}::bytea[]))`;
  await run(tables.updateTable('erasures').set({ contact_point_hashes }).where('id', '=', open.id));
  return open.id;
}

const RECORD = [
  'id',
  'reason',
  'author',
  'started_at as startedAt',
  'finished_at as finishedAt',
  'leads',
] as const;

/** The erasure records with one of these hashes, newest first; without hashes those that have none. */
export function readErasures(
  { tables, fragment, run }: Sql,
  reason: NewErasure['reason'],
  hashes: readonly Buffer[],
) {
  const isNamed = fragment<boolean>`
    (contact_point_hashes && ${hashes} or contact_point_hashes = ${hashes})`;
  const records = tables.selectFrom('erasures').select(RECORD).where('reason', '=', reason);
  return run(records.where(isNamed).orderBy('started_at', 'desc'));
}

export async function finishErasure({ tables, run }: Sql, id: string, now: Date) {
  const ended = tables.updateTable('erasures').set({ finished_at: now }).where('id', '=', id);
  const [record] = await run(ended.returning(RECORD));
  return record ?? null;
}

/** Those with old versions of rows after an erasure. */
export const ERASED_TABLES = Object.keys(personalData);
