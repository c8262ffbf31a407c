import type { Sql } from '../db/database.ts';

/** What a day's purge removed, by kind. */
export interface Purged {
  tokens: number;
  quotaDays: number;
  tokenFailures: number;
  previousSecrets: number;
}

/** Kept longer than they count, for an operator who investigates later. */
const RETENTION = { tokens: '7 days', quotaDays: '400 days', tokenFailures: '2 days' };

/** Removes expired tokens, old counters, old failures of the token endpoint, and secrets of endpoints that sign no more. */
export async function purgeExpired(sql: Sql, now: Date): Promise<Purged> {
  const purged = await sql.queryOne<Purged>(PURGE_SQL, { now });
  return purged ?? { tokens: 0, quotaDays: 0, tokenFailures: 0, previousSecrets: 0 };
}

const PURGE_SQL = `
with tokens as (
  delete from oauth_tokens
  where expires_at < :now::timestamptz - interval '${RETENTION.tokens}' returning 1),
days as (
  delete from quota_usage
  where day < (:now::timestamptz - interval '${RETENTION.quotaDays}')::date returning 1),
failures as (
  delete from token_failures
  where window_start < :now::timestamptz - interval '${RETENTION.tokenFailures}' returning 1),
secrets as (
  update webhook_endpoints set previous_secret_sealed = null, previous_secret_until = null
  where previous_secret_until <= :now returning 1)
select (select count(*)::int from tokens) as tokens,
  (select count(*)::int from days) as "quotaDays",
  (select count(*)::int from failures) as "tokenFailures",
  (select count(*)::int from secrets) as "previousSecrets"`;
