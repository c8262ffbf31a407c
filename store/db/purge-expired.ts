import type { Sql } from './database.ts';

/** What a day's tidying removed, by kind. */
export interface Purged {
  tokens: number;
  quotaDays: number;
  tokenFailures: number;
}

/** Kept a while longer than it counts, for an operator who looks back. */
const KEPT = { tokens: '7 days', quotaDays: '400 days', tokenFailures: '2 days' };

/** Removes expired tokens, old counters and old failures of the token endpoint. */
export async function purgeExpired(sql: Sql, now: Date): Promise<Purged> {
  const [purged] = await sql.query<Purged & Record<string, unknown>>(
    `with tokens as (
       delete from oauth_tokens where expires_at < $1::timestamptz - interval '${KEPT.tokens}' returning 1),
     days as (
       delete from quota_usage where day < ($1::timestamptz - interval '${KEPT.quotaDays}')::date returning 1),
     failures as (
       delete from token_failures where window_start < $1::timestamptz - interval '${KEPT.tokenFailures}' returning 1)
     select (select count(*)::int from tokens) as tokens,
       (select count(*)::int from days) as "quotaDays",
       (select count(*)::int from failures) as "tokenFailures"`,
    [now],
  );
  return purged ?? { tokens: 0, quotaDays: 0, tokenFailures: 0 };
}
