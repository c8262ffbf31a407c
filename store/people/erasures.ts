import type { Selectable } from 'kysely';
import type { Sql } from '../db/database.ts';
import type { Tables } from '../tables/index.ts';
import { erasingSql } from './erasing-sql.ts';
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
  return open?.id ?? erasure.id;
}

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

/** Removes what is kept of phones and e-mails beside leads and contacts: DNCR results, the list of outside agents. */
export async function eraseContactPoints(sql: Sql, person: Person, now: Date): Promise<void> {
  await sql.query(ERASE_CONTACT_POINTS_SQL, ownerParameters(person, now));
}

const ERASE_CONTACT_POINTS_SQL = `
with ${erasingSql('contactPoint')}, ${erasingSql('number')} select`;

export async function finishErasure(sql: Sql, id: string, now: Date): Promise<ErasureView | null> {
  return sql.queryOne<ErasureView>(FINISH_SQL, { id, now });
}

const FINISH_SQL = `
update erasures set finished_at = :now where id = :id
returning id, reason, author, started_at as "startedAt", finished_at as "finishedAt", leads`;
