import { sql as fragment, type InferResult } from 'kysely';
import { freshSince } from '../../domain/dncr/answer-cache.ts';
import type { Sql } from '../db/database.ts';
import { deleteInBatches, type AfterBatch } from '../db/delete-in-batches.ts';
import type { Page } from '../db/page.ts';

const selectAnswers = ({ tables }: Sql) =>
  tables
    .selectFrom('dncr_answers')
    .select([
      'status',
      'dncr_status as dncrStatus',
      'registry_status as registryStatus',
      'checked_at as checkedAt',
      'transaction_id as transactionId',
    ]);

export type CachedAnswer = InferResult<ReturnType<typeof selectAnswers>>[number];

/** What the cache holds of a number, expired or not. */
export async function readAnswer(sql: Sql, phone: string): Promise<CachedAnswer | null> {
  const [answer] = await sql.run(selectAnswers(sql).where('phone', '=', phone));
  return answer ?? null;
}

const selectChecks = ({ tables }: Sql) =>
  tables
    .selectFrom('dncr_checks as c')
    .innerJoin('oauth_clients as o', 'o.id', 'c.client_id')
    .select([
      'c.id',
      'o.name as client',
      'c.requested_at as requestedAt',
      'c.outcome',
      'c.fresh',
      'c.transaction_id as transactionId',
    ]);

export type CheckRecord = InferResult<ReturnType<typeof selectChecks>>[number];

/** Who asked about a number, newest first. Reads every record: this is asked for rarely. */
export async function readChecksOf(
  sql: Sql,
  numberHash: Buffer,
  limit: number,
): Promise<Page<CheckRecord>> {
  const rows = await sql.run(
    selectChecks(sql)
      .select(({ fn }) => fn.countAll<number>().over().as('total'))
      .where(fragment<boolean>`${numberHash} = any(c.number_hashes)`)
      .orderBy('c.requested_at', 'desc')
      .limit(limit),
  );
  const total = Number(rows[0]?.total ?? 0);
  return { rows: rows.map(({ total: _total, ...check }) => check), total };
}

type CheckOutcome = 'answered' | 'failed' | 'open';
type NumberOutcome = 'registered' | 'notRegistered' | 'notFound' | 'unavailable' | 'invalid';

export interface DncrStats {
  cache: { fresh: number; expired: number; oldest: Date | null; newest: Date | null };
  /** Checks and numbers of the last 24 hours. */
  checks: Record<CheckOutcome | NumberOutcome | 'fromCache' | 'fromRegistry', number>;
  /** Numbers that are being asked for just now. */
  leases: number;
}

export async function readStats(
  sql: Sql,
  times: { now: Date; freshSince: Date; since: Date },
): Promise<DncrStats> {
  const [cache] = await sql.query<DncrStats['cache']>(CACHE_STATS_SQL, times);
  const [checks] = await sql.query<DncrStats['checks']>(CHECK_STATS_SQL, times);
  const [leases] = await sql.query<{ leases: number }>(LEASES_SQL, times);
  if (!cache || !checks || !leases) throw new Error('A count gave no row.');
  return { cache, checks, ...leases };
}

const LEASES_SQL = `select count(*) as leases from dncr_leases where lease_until > :now`;

const CACHE_STATS_SQL = `
select count(*) filter (where checked_at > :freshSince) as fresh,
  count(*) filter (where checked_at <= :freshSince) as expired,
  min(checked_at) as oldest, max(checked_at) as newest
from dncr_answers`;

const CHECK_STATS_SQL = `
select count(*) filter (where outcome = 'answered') as answered,
  count(*) filter (where outcome = 'failed') as failed,
  count(*) filter (where outcome = 'open') as open,
  coalesce(sum(from_cache), 0) as "fromCache", coalesce(sum(from_registry), 0) as "fromRegistry",
  coalesce(sum(registered), 0) as registered, coalesce(sum(not_registered), 0) as "notRegistered",
  coalesce(sum(not_found), 0) as "notFound", coalesce(sum(unavailable), 0) as unavailable,
  coalesce(sum(invalid), 0) as invalid
from dncr_checks where requested_at > :since`;

export interface PurgedDncr {
  /** Cached answers. */
  answers: number;
  /** Numbers of checks that are long over. */
  numbers: number;
  /** Leases that their holder never released. */
  leases: number;
}

const HOUR_MS = 3_600_000;

/** Looks up the record of each number, since the records of all checks are many. */
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
    leases: await purge('dncr_leases', 'r.lease_until <= :now', { now }),
  };
}

/** Removes records of checks that were asked before a time and have ended. */
export function purgeChecks(sql: Sql, before: Date, afterBatch: AfterBatch): Promise<number> {
  const where = `r.requested_at < :before and r.outcome <> 'open'`;
  return deleteInBatches(sql, { table: 'dncr_checks', where, values: { before } }, afterBatch);
}
