import type { Sql } from '../db/database.ts';

export interface TokenRequest {
  clientId: string;
  secretHash: Buffer;
  tokenHash: Buffer;
  now: Date;
  expiresAt: Date;
  /** Holds for a client without a quota of its own. */
  defaultQuota: number;
}

export interface IssuedToken {
  scope: string;
  dailyQuota: number | null;
  used: number;
}

/**
 * Checks the credentials, counts the call and stores the token's hash, in one statement whose work is the
 * same whichever credential is wrong. Null when they are; over the quota nothing is stored. The row lock lets
 * a rotation or deactivation that revokes tokens miss none which is being issued.
 */
export async function issueToken(sql: Sql, request: TokenRequest): Promise<IssuedToken | null> {
  const today = request.now.toISOString().slice(0, 10);
  return sql.queryOne<IssuedToken>(ISSUE_TOKEN_SQL, { ...request, today });
}

const ISSUE_TOKEN_SQL = `
with client as (
  select id, scope, daily_quota from oauth_clients
  where client_id = :clientId and secret_hash = :secretHash and active
  for share),
counted as (
  insert into quota_usage as q (client_id, day, used)
  select id, :today::date, 1 from client
  on conflict (client_id, day) do update set used = q.used + 1
  returning used),
stored as (
  insert into oauth_tokens (token_hash, client_id, created_at, expires_at)
  select :tokenHash, client.id, :now, :expiresAt from client, counted
  where counted.used <= coalesce(client.daily_quota, :defaultQuota::int))
select client.scope, client.daily_quota as "dailyQuota", counted.used from client, counted`;

export interface FailureKeys {
  address: string;
  /** Null: the call named no client. */
  clientId: string | null;
}

export interface FailureCounts {
  address: number;
  clientId: number;
}

/**
 * Counts one failed token call by address and by client id, in the window that began at `windowStart`.
 * From an address that has failed more than `maxPerAddress` times client ids are not counted any more, so
 * that a caller who makes them up leaves no row for each.
 */
export async function recordTokenFailure(
  sql: Sql,
  keys: FailureKeys,
  limits: { windowStart: Date; maxPerAddress: number },
): Promise<FailureCounts> {
  const counts = await sql.queryOne<FailureCounts>(COUNT_FAILURE_SQL, { ...keys, ...limits });
  return counts ?? { address: 0, clientId: 0 };
}

/** The address always comes before the client id, so that two calls at once cannot wait for each other. */
const COUNT_FAILURE_SQL = `
with address as (
  insert into token_failures as f (key, window_start, failures) values (:address, :windowStart, 1)
  on conflict (key, window_start) do update set failures = f.failures + 1
  returning failures),
client as (
  insert into token_failures as f (key, window_start, failures)
  select :clientId, :windowStart::timestamptz, 1 from address
  where :clientId::text is not null and failures <= :maxPerAddress::int
  on conflict (key, window_start) do update set failures = f.failures + 1
  returning failures)
select (select failures from address) as address,
  coalesce((select failures from client), 0) as "clientId"`;
