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
 * Checks the credentials, counts the call and keeps the token's hash, in one statement whose work is the
 * same whichever credential is wrong. Null when they are; over the quota nothing is kept.
 */
export async function issueToken(sql: Sql, request: TokenRequest): Promise<IssuedToken | null> {
  const [issued] = await sql.query<IssuedToken & Record<string, unknown>>(STATEMENT, [
    request.clientId,
    request.secretHash,
    request.tokenHash,
    request.now,
    request.expiresAt,
    request.now.toISOString().slice(0, 10),
    request.defaultQuota,
  ]);
  return issued ?? null;
}

const STATEMENT = `
with client as (
  select id, scope, daily_quota from oauth_clients
  where client_id = $1 and secret_hash = $2 and active),
counted as (
  insert into quota_usage as q (client_id, day, used)
  select id, $6::date, 1 from client
  on conflict (client_id, day) do update set used = q.used + 1
  returning used),
kept as (
  insert into oauth_tokens (token_hash, client_id, created_at, expires_at)
  select $3, client.id, $4, $5 from client, counted
  where counted.used <= coalesce(client.daily_quota, $7::int))
select client.scope, client.daily_quota as "dailyQuota", counted.used from client, counted`;
