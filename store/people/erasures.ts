import type { Selectable } from 'kysely';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import { sortContactPoints } from '../../domain/people/person-search.ts';
import type { Database, Sql } from '../db/database.ts';
import { vacuumAsOwner, vacuumStatement } from '../db/roles.ts';
import type { Tables } from '../tables/index.ts';
import { eraseLead, takeOffLead, type LeadErasure } from './erase-lead.ts';
import {
  findPerson,
  ownerParameters,
  pointsNamedBy,
  pointsOfNoOtherLead,
  type Person,
  type PersonLead,
} from './find-person.ts';
import { ownLeads, type Scope } from './person-scope.ts';
import { countLeftovers, eraseRows, personalData } from './personal-columns.ts';

export interface ErasurePlan {
  /** Whose leads are erased, contacts with the last of theirs. */
  person: Person;
  /** All phones and e-mails of the person, whatever leads it is limited to. */
  contactPoints: readonly ContactPoint[];
  /** Leads of other contacts: these phones and e-mails are taken off, the rest stays. */
  ofOthers: readonly PersonLead[];
  /** Leads of an earlier erasure that hold something again. */
  leftovers: readonly string[];
  scope: Scope;
}

interface PersonErasure extends Pick<NewErasure, 'id' | 'author' | 'now'> {
  asked: readonly ContactPoint[];
  hashesOf: LeadErasure['hashesOf'];
  onErased: (leads: number) => void;
}

/**
 * Erases a person lead by lead, the contact with the last one, and leads that came before that too. An enquiry that
 * comes after it is of a new contact, and stays. Interrupted, it goes on when it is run again: the contact leads to
 * what is left until the end. DNCR results and what leads of others name go first, while all phones and e-mails are known,
 * and again at the end.
 */
export async function erasePerson(
  database: Database,
  plan: ErasurePlan,
  { asked, onErased, hashesOf, ...erasure }: PersonErasure,
): Promise<ErasureView | null> {
  const { now } = erasure;
  const hashes = hashesOf([...asked, ...plan.person.contactPoints]);
  const erasureId = await beginErasure(database, { ...erasure, hashes, reason: 'person' });
  const isLimited = plan.scope.leads.length > 0;
  const terms = { erasureId, now, inactiveSince: null, hashesOf, leavesContact: isLimited };
  const freed = { ...plan.person, contactPoints: await freedPoints(database, plan) };
  await eraseContactPoints(database, freed, now);
  await takeOffOthers(database, plan);
  await eraseLeads(database, plan, asked, { terms, onErased });
  await takeOffOthers(database, plan);
  for (const id of plan.leftovers) await eraseLead(database, id, terms);
  await eraseContactPoints(database, freed, now);
  return finishErasure(database, erasureId, now);
}

/** What nobody is known by afterwards, also by what else the leads of other contacts name. */
export async function freedPoints(
  sql: Sql,
  { person, scope }: Pick<ErasurePlan, 'person' | 'scope'>,
): Promise<ContactPoint[]> {
  if (scope.leads.length > 0) return pointsOfNoOtherLead(sql, person);
  const others = person.leads.filter(({ isShared }) => isShared);
  const named = await pointsNamedBy(sql, others);
  const freed = await pointsOfNoOtherLead(sql, { ...person, contactPoints: named });
  return sortContactPoints([...person.contactPoints, ...freed]);
}

async function takeOffOthers(database: Database, { ofOthers, contactPoints }: ErasurePlan) {
  for (const { id } of ofOthers) await takeOffLead(database, id, contactPoints);
}

/** Leads of other contacts come first: nothing leads to them once the person's own contact is gone. */
const othersFirst = (leads: readonly PersonLead[]) =>
  leads.toSorted((one, other) => Number(other.isShared) - Number(one.isShared));

async function eraseLeads(
  database: Database,
  { person, scope }: ErasurePlan,
  asked: readonly ContactPoint[],
  { terms, onErased }: { terms: LeadErasure; onErased: (leads: number) => void },
): Promise<void> {
  const isKnown = (contactId: string) => person.contactIds.includes(contactId);
  let left = person;
  while (left.leads.length > 0 && left.contactIds.every(isKnown)) {
    for (const [index, { id, isShared }] of othersFirst(left.leads).entries()) {
      await eraseLead(database, id, { ...terms, leavesContact: terms.leavesContact || isShared });
      onErased(index + 1);
    }
    if (scope.leads.length > 0) return;
    const found = await findPerson(database, asked);
    left = { ...found, leads: ownLeads(found.leads, scope) };
  }
}

type ErasureReason = Selectable<Tables['erasures']>['reason'];

/** The proof of an erasure, without the hashes. One that was interrupted is not finished. */
export type ErasureView = Awaited<ReturnType<typeof readErasures>>[number];

interface NewErasure {
  id: string;
  reason: ErasureReason;
  author: string;
  hashes: readonly Buffer[];
  now: Date;
}

/** Writes the proof before anything is erased, or goes on with one that was interrupted; returns its id. */
export async function beginErasure(sql: Sql, { id, reason, author, hashes, now }: NewErasure) {
  const { tables, fragment, run } = sql;
  const open = (await readErasures(sql, reason, hashes)).find((each) => each.finishedAt === null);
  if (!open) {
    const proof = { id, reason, author, started_at: now, contact_point_hashes: [...hashes] };
    await run(tables.insertInto('erasures').values(proof));
    return id;
  }
  // Adds what became known of the person since.
  const contact_point_hashes = fragment<Buffer[]>`array(
    select unnest(contact_point_hashes) union select unnest(${hashes}::bytea[]))`;
  await run(tables.updateTable('erasures').set({ contact_point_hashes }).where('id', '=', open.id));
  return open.id;
}

const PROOF = [
  'id',
  'reason',
  'author',
  'started_at as startedAt',
  'finished_at as finishedAt',
  'leads',
] as const;

/** The proofs that name one of these phones or e-mails, newest first; without hashes those that name none. */
export function readErasures(
  { tables, fragment, run }: Sql,
  reason: ErasureReason,
  hashes: readonly Buffer[],
) {
  const isNamed =
    hashes.length === 0
      ? fragment<boolean>`contact_point_hashes = '{}'`
      : fragment<boolean>`contact_point_hashes && ${hashes}`;
  const proofs = tables.selectFrom('erasures').select(PROOF).where('reason', '=', reason);
  return run(proofs.where(isNamed).orderBy('started_at', 'desc'));
}

/**
 * Removes what is kept of phones and e-mails beside leads and contacts: DNCR results, the list of outside agents. The
 * numbers of checks go first: a check that publishes meanwhile holds them, and its answers are found afterwards.
 */
async function eraseContactPoints(database: Database, person: Person, now: Date): Promise<void> {
  const parameters = ownerParameters(person, now);
  await database.transaction(async (sql) => {
    await eraseRows(sql, ['checkNumber'], parameters);
    await eraseRows(sql, ['contactPoint', 'number'], parameters);
  });
}

export async function finishErasure({ tables, run }: Sql, id: string, now: Date) {
  const ended = tables.updateTable('erasures').set({ finished_at: now }).where('id', '=', id);
  const [proof] = await run(ended.returning(PROOF));
  return proof ?? null;
}

/**
 * Leads that these erasures emptied and that hold something of a person again, and how many rows do, per table. A proof
 * holds no ids of leads, which would tell whose they were; the time says which ones it may have emptied.
 */
export async function findLeftovers(
  sql: Sql,
  erasures: readonly Pick<ErasureView, 'startedAt' | 'finishedAt'>[],
  now: Date,
) {
  const starts = erasures.map(({ startedAt }) => startedAt);
  const ends = erasures.map(({ finishedAt }) => finishedAt ?? now);
  const span = sql.fragment<{ starts: Date; ends: Date }>`
    unnest(${starts}::timestamptz[], ${ends}::timestamptz[])`;
  const erased = sql.tables
    .selectFrom(span.as<'span'>(sql.fragment`span (starts, ends)`))
    .innerJoin('leads', (join) =>
      join.onRef('erased_at', '>=', 'span.starts').onRef('erased_at', '<=', 'span.ends'),
    )
    .select('leads.id')
    .distinct();
  const leadIds = (await sql.run(erased)).map(({ id }) => id);
  const rows = await countLeftovers(sql, leadIds);
  return { leadIds: Object.keys(rows).length > 0 ? leadIds : [], rows };
}

/** Whether the lead whose id begins so was erased. */
export async function isErasedLead({ tables, fragment, run }: Sql, idPrefix: string) {
  const erased = tables.selectFrom('leads').select('id').where('erased_at', 'is not', null);
  const begun = erased.where(fragment<boolean>`id::text like ${idPrefix.toLowerCase()} || '%'`);
  return (await run(begun.limit(1))).length > 0;
}

const VACUUMED_TABLES = Object.entries(personalData)
  .filter(([, { rows }]) => rows !== 'kept')
  .map(([table]) => table);

/**
 * Frees what Postgres still keeps of changed and deleted rows, their index entries and the statistics of their
 * columns, which hold samples of the values.
 */
export const VACUUM_SQL = vacuumStatement(VACUUMED_TABLES);

/** False where the role may not: only the owner of the tables vacuums them. */
export function vacuumPersonalTables(ownerUrl: string): Promise<boolean> {
  return vacuumAsOwner(ownerUrl, VACUUMED_TABLES);
}
