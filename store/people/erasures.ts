import type { Selectable } from 'kysely';
import type { Database, Sql } from '../db/database.ts';
import type { Tables } from '../tables/index.ts';
import { COUNT_LEFTOVERS_SQL, erasingSql } from './erasing-sql.ts';
import { ownerParameters, type Person } from './find-person.ts';

export type ErasureReason = Selectable<Tables['erasures']>['reason'];

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

export interface NewErasure {
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
  if (!open) await sql.query(INSERT_SQL, erasure);
  else await sql.query(ADD_HASHES_SQL, { id: open.id, hashes });
  return open?.id ?? erasure.id;
}

/** With what became known of the person since. */
const ADD_HASHES_SQL = `
update erasures
set contact_point_hashes = array(select unnest(contact_point_hashes) union select unnest(:hashes::bytea[]))
where id = :id`;

const INSERT_SQL = `
insert into erasures (id, reason, author, started_at, contact_point_hashes)
values (:id, :reason, :author, :now, :hashes)`;

/** The proofs that name one of these phones or e-mails, newest first; without hashes those that name none. */
export function readErasures(sql: Sql, reason: ErasureReason, hashes: readonly Buffer[]) {
  return sql.query<ErasureView>(READ_SQL, { reason, hashes });
}

const READ_SQL = `
select id, reason, author, started_at as "startedAt", finished_at as "finishedAt", leads from erasures
where reason = :reason and case when cardinality(:hashes::bytea[]) = 0 then contact_point_hashes = '{}'
  else contact_point_hashes && :hashes end
order by started_at desc`;

/**
 * Removes what is kept of phones and e-mails beside leads and contacts: DNCR results, the list of outside agents. The
 * numbers of checks go first: a check that publishes meanwhile holds them, and its answers are found afterwards.
 */
export async function eraseContactPoints(
  database: Database,
  person: Person,
  now: Date,
): Promise<void> {
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
  return sql.queryOne<ErasureView>(FINISH_SQL, { id, now });
}

const FINISH_SQL = `
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
