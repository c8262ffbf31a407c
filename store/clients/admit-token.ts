import type { Sql } from '../db/database.ts';

/** What one statement tells of a bearer token. */
export interface Admission {
  standing: 'live' | 'expired' | 'revoked';
  id: string;
  clientId: string;
  name: string;
  scope: string;
  dailyQuota: number | null;
  /** Requests of the client on this UTC day, this one included; 0 when it was not counted. */
  used: number;
  referenceVersion: number;
}

/**
 * Finds the token and counts the request in one statement: exact over any number of processes, and a
 * revocation or deactivation counts at once. Null for a token that was never issued.
 */
export async function admitToken(
  sql: Sql,
  tokenHash: Buffer,
  now: Date,
): Promise<Admission | null> {
  const [admission] = await sql.query<Admission & Record<string, unknown>>(STATEMENT, [
    tokenHash,
    now,
    now.toISOString().slice(0, 10),
  ]);
  return admission ?? null;
}

const STATEMENT = `
with token as (
  select c.id, c.client_id, c.name, c.scope, c.daily_quota,
    case when t.revoked_at is not null or not c.active then 'revoked'
         when t.expires_at <= $2 then 'expired'
         else 'live' end as standing
  from oauth_tokens t join oauth_clients c on c.id = t.client_id
  where t.token_hash = $1),
counted as (
  insert into quota_usage as q (client_id, day, used)
  select id, $3::date, 1 from token where standing = 'live'
  on conflict (client_id, day) do update set used = q.used + 1
  returning used)
select id, client_id as "clientId", name, scope, daily_quota as "dailyQuota", standing,
  coalesce((select used from counted), 0) as used,
  (select version from reference_state) as "referenceVersion"
from token`;
