import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Database, Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import { eraseLead, takeOffLead, type LeadErasure } from './erase-lead.ts';
import { ownerParameters, readPerson, type Person } from './read-person.ts';
import { ERASE_CHECK_NUMBERS, ERASE_NUMBERS, personalData } from './personal-columns.ts';

type PersonErasure = Omit<NewErasure, 'reason'> & Pick<LeadErasure, 'hashesOf'>;

/**
 * Erases lead by lead, including what arrives meanwhile. The contact keeps its phones and emails until its last lead is
 * erased, so that an interrupted erasure can resume. Rows found only by those are erased first and last.
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
  let { leadIds } = person;
  while (leadIds.length > 0) {
    for (const id of leadIds) await eraseLead(database, id, terms);
    ({ leadIds } = await readPerson(database, person));
  }
  await eraseContactPoints(database, { ...person, contactPoints: erased }, now);
  return finishErasure(database, erasureId, now);
}

/** Numbers of checks go first: a concurrent check that publishes locks them, and its results are found later. */
async function eraseContactPoints(database: Database, person: Person, now: Date): Promise<void> {
  for (const id of person.sharedLeadIds) await takeOffLead(database, id, person.contactPoints);
  const parameters = ownerParameters(person, now);
  await database.transaction(async (sql) => {
    await sql.all(ERASE_CHECK_NUMBERS, parameters);
    await sql.all(ERASE_NUMBERS, parameters);
  });
}

/** Without hashes. `finishedAt` is null for an interrupted erasure. */
export interface ErasureView {
  id: string;
  reason: 'person' | 'retention';
  author: string;
  startedAt: Date;
  finishedAt: Date | null;
  leads: number;
}

interface NewErasure extends Pick<ErasureView, 'id' | 'reason' | 'author'> {
  hashes: readonly Buffer[];
  now: Date;
}

/** Written before the erasure begins; returns the id of the new or resumed record. */
export async function beginErasure(sql: Sql, erasure: NewErasure): Promise<string> {
  const { reason, hashes } = erasure;
  const open = (await readErasures(sql, reason, hashes)).find((each) => each.finishedAt === null);
  if (open) await sql.all(RESUME_ERASURE, { id: open.id, hashes });
  else await sql.all(INSERT_ERASURE, erasure);
  return open?.id ?? erasure.id;
}

const INSERT_ERASURE = statement<NewErasure>('insert_erasure')`
insert into erasures (id, reason, author, started_at, contact_point_hashes)
values (:id, :reason, :author, :now, :hashes)`;

/** Adds phones and emails found since. */
const RESUME_ERASURE = statement<Pick<NewErasure, 'id' | 'hashes'>>('resume_erasure')`
update erasures set contact_point_hashes = array(
  select unnest(contact_point_hashes) union select unnest(:hashes::bytea[])) where id = :id`;

const RECORD = `id, reason, author, started_at as "startedAt", finished_at as "finishedAt", leads`;

export function readErasures(sql: Sql, reason: NewErasure['reason'], hashes: readonly Buffer[]) {
  return sql.all(READ_ERASURES, { reason, hashes });
}

const READ_ERASURES = statement<Pick<NewErasure, 'reason' | 'hashes'>, ErasureView>(
  'read_erasures',
)`
select ${RECORD} from erasures where reason = :reason
  and (contact_point_hashes && :hashes::bytea[] or contact_point_hashes = :hashes)
order by started_at desc`;

export function finishErasure(sql: Sql, id: string, now: Date): Promise<ErasureView | null> {
  return sql.first(FINISH_ERASURE, { id, now });
}

const FINISH_ERASURE = statement<{ id: string; now: Date }, ErasureView>('finish_erasure')`
update erasures set finished_at = :now where id = :id returning ${RECORD}`;

/** These contain dead rows after an erasure. */
export const ERASED_TABLES = Object.keys(personalData);
