import { freshSince } from '../../domain/dncr/registry-answer.ts';
import type { Sql } from '../db/database.ts';

export interface PurgedDncr {
  /** Cached answers. */
  answers: number;
  /** Numbers of checks that are long over. */
  numbers: number;
  /** Leases that their holder never released. */
  claims: number;
}

const HOUR_MS = 3_600_000;

/** Removes expired answers, numbers and leases. The records of the checks stay: they are the proof of having asked. */
export async function purgeCache(
  sql: Sql,
  options: { now: Date; givenUntil?: Date },
): Promise<PurgedDncr> {
  const { now, givenUntil = freshSince(now) } = options;
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const purged = await sql.queryOne<PurgedDncr>(PURGE_SQL, { givenUntil, now, hourAgo });
  return purged ?? { answers: 0, numbers: 0, claims: 0 };
}

const PURGE_SQL = `
with answers as (
  delete from dncr_answers where checked_at <= :givenUntil returning 1),
numbers as (
  delete from dncr_check_numbers n using dncr_checks c
  where c.id = n.check_id and c.requested_at <= :hourAgo returning 1),
leases as (
  delete from dncr_leases where lease_until <= :now returning 1)
select (select count(*) from answers) as answers, (select count(*) from numbers) as numbers,
  (select count(*) from leases) as claims`;
