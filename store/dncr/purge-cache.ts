import { freshSince } from '../../domain/dncr/registry-answer.ts';
import { deleteInBatches, type AfterBatch } from '../db/batches.ts';
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

/** By the record of each number: those of all checks are many. */
const OF_OLD_CHECK = `(select requested_at from dncr_checks where id = r.check_id) <= :hourAgo`;

/** Removes expired answers, numbers and leases. The records of the checks stay: they are the proof of having asked. */
export async function purgeCache(
  sql: Sql,
  options: { now: Date; givenUntil?: Date },
  afterBatch: AfterBatch = () => undefined,
): Promise<PurgedDncr> {
  const { now, givenUntil = freshSince(now) } = options;
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const purge = (table: string, where: string, values: object) =>
    deleteInBatches(sql, { table, where, values }, afterBatch);
  return {
    answers: await purge('dncr_answers', 'r.checked_at <= :givenUntil', { givenUntil }),
    numbers: await purge('dncr_check_numbers', OF_OLD_CHECK, { hourAgo }),
    claims: await purge('dncr_leases', 'r.lease_until <= :now', { now }),
  };
}

/** Removes records of checks that were asked before a time and have ended. */
export function purgeChecks(sql: Sql, before: Date, afterBatch: AfterBatch): Promise<number> {
  const where = `r.requested_at < :before and r.outcome <> 'open'`;
  return deleteInBatches(sql, { table: 'dncr_checks', where, values: { before } }, afterBatch);
}
