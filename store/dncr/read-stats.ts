import type { Sql } from '../db/database.ts';

export interface DncrStats {
  cache: { fresh: number; expired: number; oldest: Date | null; newest: Date | null };
  /** Of the last 24 hours. */
  checks: {
    answered: number;
    failed: number;
    open: number;
    fromCache: number;
    fromRegistry: number;
    registered: number;
    notRegistered: number;
    notFound: number;
    unavailable: number;
    invalid: number;
  };
  /** Numbers that are being asked for just now. */
  claims: number;
}

export async function readStats(
  sql: Sql,
  times: { now: Date; freshSince: Date; since: Date },
): Promise<DncrStats> {
  const [cache] = await sql.query<DncrStats['cache'] & Record<string, unknown>>(CACHE, [
    times.freshSince,
  ]);
  const [checks] = await sql.query<DncrStats['checks'] & Record<string, unknown>>(CHECKS, [
    times.since,
  ]);
  const [claims] = await sql.query<{ count: number }>(
    'select count(*) as count from dncr_leases where lease_until > $1',
    [times.now],
  );
  if (!cache || !checks || !claims) throw new Error('A count gave no row.');
  return { cache, checks, claims: claims.count };
}

const CACHE = `
select count(*) filter (where checked_at > $1) as fresh,
  count(*) filter (where checked_at <= $1) as expired,
  min(checked_at) as oldest, max(checked_at) as newest
from dncr_answers`;

const CHECKS = `
select count(*) filter (where outcome = 'answered') as answered,
  count(*) filter (where outcome = 'failed') as failed,
  count(*) filter (where outcome = 'open') as open,
  coalesce(sum(from_cache), 0) as "fromCache", coalesce(sum(from_registry), 0) as "fromRegistry",
  coalesce(sum(registered), 0) as registered, coalesce(sum(not_registered), 0) as "notRegistered",
  coalesce(sum(not_found), 0) as "notFound", coalesce(sum(unavailable), 0) as unavailable,
  coalesce(sum(invalid), 0) as invalid
from dncr_checks where requested_at > $1`;
