import { createBatcher } from '../db/batcher.ts';
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

interface Request {
  tokenHash: Buffer;
  now: Date;
}

/** Null for a token that was never issued. */
export type AdmitToken = (request: Request) => Promise<Admission | null>;

/**
 * Finds the token and counts the request: exact over any number of processes, and a revocation or
 * deactivation counts at once. Requests that arrive together share a statement and its commit; each has the
 * count that it would have had alone.
 */
export function createTokenAdmission(sql: Sql): AdmitToken {
  return createBatcher<Request, Admission | null>(async (requests) => {
    const rows = await sql.query<Admission & { n: number }>(ADMIT_TOKENS_SQL, {
      tokenHashes: requests.map(({ tokenHash }) => tokenHash),
      nows: requests.map(({ now }) => now),
    });
    const admissions = new Map(rows.map(({ n, ...admission }) => [n, admission]));
    return requests.map((_request, index) => admissions.get(index + 1) ?? null);
  });
}

/** The counters are taken in the order of their clients, so that two processes never wait for each other. */
const ADMIT_TOKENS_SQL = `
with asked as materialized (
  select * from unnest(:tokenHashes::bytea[], :nows::timestamptz[]) with ordinality as a (token_hash, now, n)),
found as materialized (
  select a.n, c.id, c.client_id, c.name, c.scope, c.daily_quota, (a.now at time zone 'UTC')::date as day,
    case when t.revoked_at is not null or not c.active then 'revoked'
         when t.expires_at <= a.now then 'expired'
         else 'live' end as state
  from asked a
  cross join lateral (
    select client_id, revoked_at, expires_at from oauth_tokens where token_hash = a.token_hash offset 0) t
  cross join lateral (
    select id, client_id, name, scope, daily_quota, active from oauth_clients where id = t.client_id offset 0) c),
counted as (
  insert into quota_usage as q (client_id, day, used)
  select id, day, count(*) from found where state = 'live' group by id, day order by id, day
  on conflict (client_id, day) do update set used = q.used + excluded.used
  returning client_id, day, used)
select f.n::int, f.id, f.client_id as "clientId", f.name, f.scope, f.daily_quota as "dailyQuota", f.state,
  coalesce(c.used - count(*) over (
    partition by f.id, f.day, f.state order by f.n rows between 1 following and unbounded following), 0) as used,
  (select version from reference_state) as "referenceVersion"
from found f
left join counted c on f.state = 'live' and (c.client_id, c.day) = (f.id, f.day)`;
