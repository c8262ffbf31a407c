import type { Selectable } from 'kysely';
import type { ContactPoint } from '../../domain/leads/contact-points.ts';
import type { Database, Sql } from '../db/database.ts';
import { clientFor } from '../db/roles.ts';
import type { Tables } from '../tables/index.ts';
import { eraseLead, takeOffLead, type LeadErasure } from './erase-lead.ts';
import {
  findPerson,
  ownerParameters,
  pointsOfNoOtherLead,
  type Person,
  type PersonLead,
  type Scope,
} from './find-person.ts';
import { COUNT_LEFTOVERS_SQL, erasingSql, personalData } from './personal-columns.ts';

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
 * what is left until the end. DNCR results go first, while all numbers are known, and again at the end.
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
  await eraseLeads(database, plan, asked, { terms, onErased });
  for (const { id } of plan.ofOthers) await takeOffLead(database, id, plan.contactPoints);
  for (const id of plan.leftovers) await eraseLead(database, id, terms);
  await eraseContactPoints(database, freed, now);
  return finishErasure(database, erasureId, now);
}

/** What nobody is known by afterwards. */
async function freedPoints(database: Database, { person, scope }: ErasurePlan) {
  return scope.leads.length > 0 ? pointsOfNoOtherLead(database, person) : person.contactPoints;
}

async function eraseLeads(
  database: Database,
  { person, scope }: ErasurePlan,
  asked: readonly ContactPoint[],
  { terms, onErased }: { terms: LeadErasure; onErased: (leads: number) => void },
): Promise<void> {
  const isKnown = (contactId: string) => person.contactIds.includes(contactId);
  let left = person;
  while (left.leads.length > 0 && left.contactIds.every(isKnown)) {
    for (const [index, { id, isShared }] of left.leads.entries()) {
      await eraseLead(database, id, { ...terms, leavesContact: terms.leavesContact || isShared });
      onErased(index + 1);
    }
    if (scope.leads.length > 0) return;
    const found = await findPerson(database, asked);
    const leads = found.leads.filter(({ isShared }) => scope.shared || !isShared);
    left = { ...found, leads };
  }
}

type ErasureReason = Selectable<Tables['erasures']>['reason'];

/** The proof of an erasure, without the hashes. */
export interface ErasureView {
  id: string;
  reason: ErasureReason;
  author: string;
  startedAt: Date;
  /** Null where it was interrupted. */
  finishedAt: Date | null;
  leads: number;
}

interface NewErasure {
  id: string;
  reason: ErasureReason;
  author: string;
  hashes: readonly Buffer[];
  now: Date;
}

/** Writes the proof before anything is erased, or goes on with one that was interrupted; returns its id. */
export async function beginErasure(sql: Sql, erasure: NewErasure): Promise<string> {
  const { reason, hashes } = erasure;
  const open = (await readErasures(sql, reason, hashes)).find((each) => each.finishedAt === null);
  if (!open) await sql.query(INSERT_ERASURE_SQL, erasure);
  else await sql.query(ADD_HASHES_SQL, { id: open.id, hashes });
  return open?.id ?? erasure.id;
}

/** Adds what became known of the person since. */
const ADD_HASHES_SQL = `
update erasures
set contact_point_hashes = array(select unnest(contact_point_hashes) union select unnest(:hashes::bytea[]))
where id = :id`;

const INSERT_ERASURE_SQL = `
insert into erasures (id, reason, author, started_at, contact_point_hashes)
values (:id, :reason, :author, :now, :hashes)`;

/** The proofs that name one of these phones or e-mails, newest first; without hashes those that name none. */
export function readErasures(sql: Sql, reason: ErasureReason, hashes: readonly Buffer[]) {
  return sql.query<ErasureView>(READ_ERASURES_SQL, { reason, hashes });
}

const READ_ERASURES_SQL = `
select id, reason, author, started_at as "startedAt", finished_at as "finishedAt", leads from erasures
where reason = :reason and case when cardinality(:hashes::bytea[]) = 0 then contact_point_hashes = '{}'
  else contact_point_hashes && :hashes end
order by started_at desc`;

/**
 * Removes what is kept of phones and e-mails beside leads and contacts: DNCR results, the list of outside agents. The
 * numbers of checks go first: a check that publishes meanwhile holds them, and its answers are found afterwards.
 */
async function eraseContactPoints(database: Database, person: Person, now: Date): Promise<void> {
  const parameters = ownerParameters(person, now);
  await database.transaction(async (sql) => {
    await sql.query(`with ${erasingSql('checkNumber')} select`, parameters);
    await sql.query(
      `with ${erasingSql('contactPoint')}, ${erasingSql('number')} select`,
      parameters,
    );
  });
}

export async function finishErasure(sql: Sql, id: string, now: Date): Promise<ErasureView | null> {
  return sql.queryOne<ErasureView>(FINISH_ERASURE_SQL, { id, now });
}

const FINISH_ERASURE_SQL = `
update erasures set finished_at = :now where id = :id
returning id, reason, author, started_at as "startedAt", finished_at as "finishedAt", leads`;

/** Leads that these erasures emptied and that hold something of a person again, and how many rows do, per table. */
export async function findLeftovers(sql: Sql, erasures: readonly ErasureView[], now: Date) {
  const times = {
    starts: erasures.map(({ startedAt }) => startedAt),
    ends: erasures.map(({ finishedAt }) => finishedAt ?? now),
  };
  const leads = await sql.query<{ id: string }>(ERASED_LEADS_SQL, times);
  const leadIds = leads.map(({ id }) => id);
  const counts = await sql.query<{ name: string; rows: number }>(COUNT_LEFTOVERS_SQL, { leadIds });
  const rows = Object.fromEntries(counts.map((count) => [count.name, count.rows]));
  return { leadIds: counts.length > 0 ? leadIds : [], rows };
}

/** A proof holds no ids of leads, which would tell whose they were; the time says which ones it may have emptied. */
const ERASED_LEADS_SQL = `
select distinct l.id from unnest(:starts::timestamptz[], :ends::timestamptz[]) as e (starts, ends)
join leads l on l.erased_at between e.starts and e.ends`;

const VACUUMED_TABLES = Object.entries(personalData)
  .filter(([, { rows }]) => rows !== 'kept')
  .map(([table]) => table);

/**
 * Frees what Postgres still keeps of changed and deleted rows, their index entries and the statistics of their
 * columns, which hold samples of the values.
 */
export const VACUUM_SQL = `vacuum (index_cleanup on, analyze) ${VACUUMED_TABLES.join(', ')}`;

/** False where the role may not: only the owner of the tables vacuums them. */
export async function vacuumPersonalTables(ownerUrl: string): Promise<boolean> {
  const client = clientFor(ownerUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ owns: boolean }>(OWNS_SQL, [VACUUMED_TABLES]);
    if (!rows[0]?.owns) return false;
    await client.query(VACUUM_SQL);
    return true;
  } finally {
    await client.end();
  }
}

const OWNS_SQL = `
select bool_and(pg_has_role(relowner, 'usage')) as owns from pg_class
where relnamespace = 'public'::regnamespace and relname = any ($1)`;
