import { freshSince } from '../../domain/dncr/cache-lifetime.ts';
import type { Sql } from '../db/database.ts';

export interface PurgedDncr {
  /** Cached answers. */
  answers: number;
  /** Numbers of checks that are long over. */
  numbers: number;
  /** Claims whose holder never gave them back. */
  claims: number;
}

const HOUR_MS = 3_600_000;

/** Removes what is past its time. The records of the checks stay: they are the proof of having asked. */
export async function purgeCache(
  sql: Sql,
  options: { now: Date; givenUntil?: Date },
): Promise<PurgedDncr> {
  const { now, givenUntil = freshSince(now) } = options;
  const [purged] = await sql.query<PurgedDncr & Record<string, unknown>>(STATEMENT, [
    givenUntil,
    new Date(now.getTime() - HOUR_MS),
    now,
  ]);
  return purged ?? { answers: 0, numbers: 0, claims: 0 };
}

const STATEMENT = `
with answers as (
  delete from dncr_answers where checked_at <= $1 returning 1),
numbers as (
  delete from dncr_check_numbers n using dncr_checks c
  where c.id = n.check_id and c.requested_at <= $2 returning 1),
claims as (
  delete from dncr_leases where lease_until <= $3 returning 1)
select (select count(*) from answers) as answers, (select count(*) from numbers) as numbers,
  (select count(*) from claims) as claims`;
