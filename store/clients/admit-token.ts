import type { Sql } from '../db/database.ts';

/** What one statement finds out about a bearer token. */
export interface Admission {
  state: 'live' | 'expired' | 'revoked';
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
  const today = now.toISOString().slice(0, 10);
  return sql.queryOne<Admission>(ADMIT_TOKEN_SQL, { tokenHash, now, today });
}

const ADMIT_TOKEN_SQL = `
with token as (
  select c.id, c.client_id, c.name, c.scope, c.daily_quota,
    case when t.revoked_at is not null or not c.active then 'revoked'
         when t.expires_at <= :now then 'expired'
         else 'live' end as state
  from oauth_tokens t join oauth_clients c on c.id = t.client_id
  where t.token_hash = :tokenHash),
counted as (
  insert into quota_usage as q (client_id, day, used)
  select id, :today::date, 1 from token where state = 'live'
  on conflict (client_id, day) do update set used = q.used + 1
  returning used)
select id, client_id as "clientId", name, scope, daily_quota as "dailyQuota", state,
  coalesce((select used from counted), 0) as used,
  (select version from reference_state) as "referenceVersion"
from token`;
