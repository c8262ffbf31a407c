import { createBatcher } from '../db/batcher.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';

interface Admission {
  state: 'live' | 'expired' | 'revoked';
  id: string;
  clientId: string;
  name: string;
  scope: string;
  dailyQuota: number | null;
  /** Requests of the client on this UTC day, including this one; 0 if it was not counted. */
  used: number;
  referenceVersion: number;
}

interface Request {
  tokenHash: Buffer;
  now: Date;
}

export type AdmitToken = (request: Request) => Promise<Admission | null>;

/** Exact over all processes. Concurrent requests share a statement, each with its own count. */
export function createTokenAdmission(sql: Sql): AdmitToken {
  return createBatcher<Request, Admission | null>(async (requests) => {
    const rows = await sql.all(ADMIT_TOKENS, {
      tokenHashes: requests.map(({ tokenHash }) => tokenHash),
      nows: requests.map(({ now }) => now),
    });
    const admissions = new Map(rows.map(({ n, ...admission }) => [n, admission]));
    return requests.map((_request, index) => admissions.get(index + 1) ?? null);
  });
}

/** Counters are locked in the order of clients, so that two processes cannot deadlock. */
const ADMIT_TOKENS = statement<{ tokenHashes: Buffer[]; nows: Date[] }, Admission & { n: number }>(
  'admit_tokens',
)`
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

interface TokenRequest {
  clientId: string;
  secretHash: Buffer;
  tokenHash: Buffer;
  now: Date;
  expiresAt: Date;
  defaultQuota: number;
}

type IssuedToken = Pick<Admission, 'scope' | 'dailyQuota' | 'used'>;

/** Null if a credential is wrong, after the same work. The row lock lets a revocation include tokens being issued. */
export async function issueToken(sql: Sql, request: TokenRequest): Promise<IssuedToken | null> {
  return sql.first(ISSUE_TOKEN, { ...request, today: utcDay(request.now) });
}

const ISSUE_TOKEN = statement<TokenRequest & { today: string }, IssuedToken>('issue_token')`
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
  where counted.used <= coalesce(client.daily_quota, :defaultQuota::bigint))
select client.scope, client.daily_quota as "dailyQuota", counted.used from client, counted`;

interface FailureKeys {
  address: string;
  clientId: string | null;
}

interface FailureLimits {
  windowStart: Date;
  maxPerAddress: number;
}

export type FailureCounts = Record<keyof FailureKeys, number>;

/** Above `maxPerAddress` client ids are not counted, so that invented ids create no rows. */
export async function recordTokenFailure(sql: Sql, keys: FailureKeys, limits: FailureLimits) {
  const counts = await sql.first(COUNT_FAILURE, { ...keys, ...limits });
  return counts ?? { address: 0, clientId: 0 };
}

/** The IP address comes before the client id, so that two calls cannot deadlock. */
const COUNT_FAILURE = statement<FailureKeys & FailureLimits, FailureCounts>('count_failure')`
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

export interface ClientEntry {
  clientId: string;
  name: string;
  scope: string;
  dailyQuota: number | null;
  active: boolean;
  createdAt: Date;
  rotatedAt: Date | null;
  usedToday: number;
  liveTokens: number;
}

export function readClients(sql: Sql, now: Date): Promise<ClientEntry[]> {
  return sql.all(READ_CLIENTS, { clientId: null, now, today: utcDay(now) });
}

export function readClient(sql: Sql, clientId: string, now: Date): Promise<ClientEntry | null> {
  return sql.first(READ_CLIENTS, { clientId, now, today: utcDay(now) });
}

const utcDay = (time: Date) => time.toISOString().slice(0, 10);

const READ_CLIENTS = statement<{ clientId: string | null; now: Date; today: string }, ClientEntry>(
  'read_clients',
)`
select c.client_id as "clientId", c.name, c.scope, c.daily_quota as "dailyQuota", c.active,
  c.created_at as "createdAt", c.rotated_at as "rotatedAt",
  coalesce((select used from quota_usage where client_id = c.id and day = :today), 0) as "usedToday",
  (select count(*) from oauth_tokens
   where client_id = c.id and revoked_at is null and expires_at > :now) as "liveTokens"
from oauth_clients c where :clientId::text is null or c.client_id = :clientId order by c.created_at`;

type FoundClient = Pick<TableRow<'oauth_clients'>, 'id' | 'name'> & { clientId: string };

/** By public id, else by name, else by at least 8 leading characters of the id. */
export async function findClients(sql: Sql, text: string) {
  const asked = text.trim();
  const found = await sql.all(FIND_CLIENTS, { asked });
  const byId = found.filter(({ clientId }) => clientId === asked);
  const byName = found.filter(({ name }) => name.toLowerCase() === asked.toLowerCase());
  const [named = []] = [byId, byName, found].filter(({ length }) => length > 0);
  return named.map(({ id, clientId }) => ({ id, clientId }));
}

const FIND_CLIENTS = statement<{ asked: string }, FoundClient>('find_clients')`
select id, client_id as "clientId", name from oauth_clients
where client_id = :asked or lower(name) = lower(:asked)
  or length(:asked) >= 8 and starts_with(lower(client_id), lower(:asked))`;
