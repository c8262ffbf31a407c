import { CACHED_STATUSES } from '../../domain/dncr/answer-cache.ts';
import type { KnownAnswer } from '../../domain/dncr/check.ts';
import type { AnswerStatus, RegistryAnswer } from '../../domain/dncr/registry-answer.ts';
import { createBatcher } from '../db/batcher.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';

/** One check leases a number and asks the registry. Other checks wait for its answer until the lease ends. */
export interface Lease {
  phone: string;
  checkId: string;
}

/** A lease of another check is rewritten unchanged, because only then is its latest owner visible. */
const TAKE_LEASES = `
leased as (
  insert into dncr_leases as held (phone, check_id, lease_until)
  select phone, :id, :leaseUntil::timestamptz from missing
  on conflict (phone) do update set
    check_id = case when held.lease_until <= :now then excluded.check_id else held.check_id end,
    lease_until = case when held.lease_until <= :now then excluded.lease_until else held.lease_until end
  returning phone, check_id)`;

/** Locks leases in the order in which they are taken, so that two checks cannot deadlock. */
const RELEASE_LEASES = `
held as materialized (
  select phone from dncr_leases where check_id = :checkId order by phone for update),
released as (
  delete from dncr_leases c using held where c.phone = held.phone and c.check_id = :checkId)`;

export interface NewCheck {
  id: string;
  /** The id of the row, not the public id. */
  clientId: string;
  now: Date;
  fresh: boolean;
  phones: readonly string[];
  invalid: number;
  freshSince: Date;
  /** No other check asks for these numbers until then. */
  leaseUntil: Date;
}

type HashedCheck = NewCheck & { numberHashes: readonly Buffer[] };
type CachedRow = Omit<KnownAnswer, 'source'> & { checkId: null };
type OpenedRow = CachedRow | (Lease & { status: null });
type AnsweredRow = Pick<NewCheck, 'id'> & { answers: (string | null)[][] };

export type OpenCheck = (check: NewCheck) => Promise<{ cached: KnownAnswer[]; leases: Lease[] }>;

/** Checks whose numbers are all cached share statements. */
export function createCheckOpener(sql: Sql, hashOf: (phone: string) => Buffer): OpenCheck {
  const answer = createBatcher((checks: readonly NewCheck[]) => answerCachedChecks(sql, checks), {
    max: 8,
    lanes: 2,
  });
  return async (check) => {
    const cached = check.fresh ? undefined : await answer(check);
    if (cached) return { cached, leases: [] };
    return openCheck(sql, { ...check, numberHashes: check.phones.map(hashOf) });
  };
}

/** Undefined for a check that the cache does not answer completely. */
async function answerCachedChecks(sql: Sql, checks: readonly NewCheck[]) {
  const rows = await sql.all(ANSWER_CACHED, { checks: JSON.stringify(checks) });
  const answers = new Map(rows.map((row) => [row.id, readAnswers(row.answers)]));
  return checks.map(({ id }) => answers.get(id));
}

function readAnswers([phones, ...columns]: (string | null)[][]): KnownAnswer[] {
  return (phones ?? []).map((phone, index) => {
    const [status, dncrStatus, registryStatus, time] = columns.map((column) => column[index]);
    const checkedAt = new Date(time ?? NaN);
    return { phone, status, dncrStatus, registryStatus, checkedAt, source: 'cache' } as KnownAnswer;
  });
}

const INSERT_CHECK = `insert into dncr_checks (id, client_id, requested_at, finished_at, outcome, fresh,
    number_hashes, invalid, from_cache, registered, not_registered, not_found)`;
const COUNT_STATUSES = `
    count(*) filter (where status = 'registered') as registered,
    count(*) filter (where status = 'not_registered') as not_registered,
    count(*) filter (where status = 'not_found') as not_found`;

/** Answers by column cost a fraction of an object for each. */
const ANSWER_CACHED = statement<{ checks: string }, AnsweredRow>('answer_cached')`
with answered as materialized (
  select c.*, a.* from jsonb_to_recordset(:checks::jsonb) as c (id uuid, "clientId" uuid,
    now timestamptz, "freshSince" timestamptz, phones text[], invalid int)
  cross join lateral (
    select count(number_hash) as from_cache, array_agg(number_hash order by phone collate "C") as hashes, ${COUNT_STATUSES}, json_build_array(array_agg(phone), array_agg(status),
      array_agg(dncr_status), array_agg(registry_status), array_agg(checked_at)) as answers
    from dncr_answers where phone = any(c.phones) and checked_at > c."freshSince") a
  where a.from_cache = cardinality(c.phones)),
recorded as (
  ${INSERT_CHECK}
  select id, "clientId", now, now, 'answered', false, coalesce(hashes, '{}'), invalid, from_cache, registered, not_registered, not_found from answered)
select id, answers from answered`;

/** Closes the check if all numbers are cached. `numberHashes` has the order of `phones`. */
export async function openCheck(sql: Sql, check: HashedCheck) {
  const rows = await sql.all(OPEN_CHECK, check);
  const cached = rows.filter((row) => row.status !== null);
  return {
    cached: cached.map(({ checkId: _, ...answer }) => ({ ...answer, source: 'cache' as const })),
    leases: rows.filter((row) => row.status === null),
  };
}

const OPEN_CHECK = statement<HashedCheck, OpenedRow>('open_check')`
with cached as materialized (
  select phone, status, dncr_status, registry_status, checked_at from dncr_answers
  where phone = any(:phones::text[]) and checked_at > :freshSince and not :fresh::boolean),
missing as materialized (
  select phone, number_hash
  from unnest(:phones::text[], :numberHashes::bytea[]) as wanted (phone, number_hash)
  where phone not in (select phone from cached) order by phone),
recorded as (
  ${INSERT_CHECK}
  select :id::uuid, :clientId::uuid, :now::timestamptz,
    case when not exists (select from missing) then :now::timestamptz end,
    case when exists (select from missing) then 'open' else 'answered' end,
    :fresh, :numberHashes, :invalid::int, count(*), ${COUNT_STATUSES}
  from cached),
${TAKE_LEASES},
numbers as (
  insert into dncr_check_numbers (check_id, phone, number_hash)
  select check_id, phone, number_hash from leased join missing using (phone) where check_id = :id)
select phone, status, dncr_status as "dncrStatus", registry_status as "registryStatus",
  checked_at as "checkedAt", null::uuid as "checkId" from cached
union all
select phone, null, null, null, null, check_id from leased`;

/** For answers that came between the read of the cache and the lease. Null if the check does not exist. */
export function answerFromCache(sql: Sql, checkId: string, freshSince: Date) {
  return sql.first(ANSWER_FROM_CACHE, { checkId, freshSince });
}

const ANSWER_FROM_CACHE = statement<
  { checkId: string; freshSince: Date },
  { remaining: number; oauthClientId: string }
>('answer_from_cache')`
with found as (
  update dncr_check_numbers n
  set status = a.status, dncr_status = a.dncr_status, registry_status = a.registry_status,
    checked_at = a.checked_at, transaction_id = a.transaction_id, from_cache = not c.fresh
  from dncr_answers a, dncr_checks c
  where n.check_id = :checkId and n.status is null and a.phone = n.phone and c.id = n.check_id
    and a.checked_at > case when c.fresh then c.requested_at else :freshSince::timestamptz end
  returning n.phone)
select o.client_id as "oauthClientId",
  (select count(*) from dncr_check_numbers n
   where n.check_id = c.id and n.status is null
     and n.phone not in (select phone from found)) as remaining
from dncr_checks c join oauth_clients o on o.id = c.client_id
where c.id = :checkId`;

export async function numbersToAsk(sql: Sql, checkId: string): Promise<string[]> {
  const rows = await sql.all(READ_NUMBERS_TO_ASK, { checkId });
  return rows.map(({ phone }) => phone);
}

const READ_NUMBERS_TO_ASK = statement<{ checkId: string }, { phone: string }>(
  'read_numbers_to_ask',
)`
select phone from dncr_check_numbers where check_id = :checkId and status is null order by phone`;

export interface GivenAnswers {
  answers: ReadonlyMap<string, RegistryAnswer>;
  checkedAt: Date;
  transactionId: string;
}

export async function recordAnswers(sql: Sql, checkId: string, given: GivenAnswers): Promise<void> {
  const rows = [...given.answers].map(([phone, answer]) => ({ ...answer, phone }));
  await sql.all(RECORD_ANSWERS, { ...given, checkId, answers: JSON.stringify(rows) });
}

const RECORD_ANSWERS = statement<
  Omit<GivenAnswers, 'answers'> & { checkId: string; answers: string }
>('record_answers')`
update dncr_check_numbers n
set status = r.status, dncr_status = r."dncrStatus", registry_status = r."registryStatus",
  checked_at = :checkedAt, transaction_id = :transactionId
from jsonb_to_recordset(:answers::jsonb)
  as r (phone text, status text, "dncrStatus" text, "registryStatus" text)
where n.check_id = :checkId and n.phone = r.phone and n.status is null`;

/**
 * In one statement, so that a check without a lease finds the answer. The row locks leave no answer behind an erasure,
 * which deletes the numbers of running checks before the cache.
 */
export async function publishAnswers(
  sql: Sql,
  checkId: string,
): Promise<Partial<Record<AnswerStatus, number>>> {
  const rows = await sql.all(PUBLISH_ANSWERS, { checkId, kept: CACHED_STATUSES });
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const PUBLISH_ANSWERS = statement<
  { checkId: string; kept: readonly AnswerStatus[] },
  { status: AnswerStatus; count: number }
>('publish_answers')`
with given as materialized (
  select phone, status, dncr_status, registry_status, checked_at, transaction_id, number_hash
  from dncr_check_numbers where check_id = :checkId and status is not null and not from_cache for key share),
cached as (
  insert into dncr_answers as known
    (phone, status, dncr_status, registry_status, checked_at, transaction_id, number_hash)
  select * from given where status = any (:kept) order by phone
  on conflict (phone) do update set status = excluded.status, dncr_status = excluded.dncr_status,
    registry_status = excluded.registry_status, checked_at = excluded.checked_at,
    transaction_id = excluded.transaction_id, number_hash = excluded.number_hash
  where known.checked_at <= excluded.checked_at),
referenced as (
  update dncr_checks set transaction_id = (select max(transaction_id) from given) where id = :checkId),
${RELEASE_LEASES}
select status, count(*) as count from given group by status`;

type FinishedRow = KnownAnswer & { transactionId: string | null };

/** Null if a number has no answer, not even `unavailable`. */
export async function finishCheck(sql: Sql, checkId: string, leases: readonly Lease[], now: Date) {
  const holders = leases.map((lease) => lease.checkId);
  const phones = leases.map(({ phone }) => phone);
  const rows = await sql.all(FINISH_CHECK, { checkId, now, holders, phones });
  if (rows.length < leases.length) return null;
  return {
    answers: rows.map(({ transactionId: _, ...answer }) => answer),
    transactionId: rows[0]?.transactionId ?? null,
  };
}

/** The check's own call is the better reference. A fresh check takes as fresh any answer that came during its call. */
const FINISH_CHECK = statement<
  { checkId: string; now: Date; holders: string[]; phones: string[] },
  FinishedRow
>('finish_check')`
with given as materialized (
  select n.phone, n.status, n.dncr_status, n.registry_status, n.checked_at, n.transaction_id,
    n.from_cache and not (select fresh from dncr_checks where id = :checkId) as from_cache,
    n.check_id = :checkId as is_own
  from unnest(:holders::uuid[], :phones::text[]) as wanted (check_id, phone)
  join dncr_check_numbers n on n.check_id = wanted.check_id and n.phone = wanted.phone
  where n.status is not null),
closed as (
  update dncr_checks set outcome = 'answered', finished_at = :now,
    from_cache = from_cache + (select count(*) from given where given.from_cache),
    from_registry = (select count(*) from given where not given.from_cache),
    registered = registered + (select count(*) from given where status = 'registered'),
    not_registered = not_registered + (select count(*) from given where status = 'not_registered'),
    not_found = not_found + (select count(*) from given where status = 'not_found'),
    unavailable = (select count(*) from given where status = 'unavailable'),
    transaction_id = (select transaction_id from given where not given.from_cache
      order by is_own desc, transaction_id limit 1)
  where id = :checkId and (select count(*) from given) = cardinality(:phones::text[])
  returning transaction_id)
select phone, status, dncr_status as "dncrStatus", registry_status as "registryStatus",
  checked_at as "checkedAt", case when from_cache then 'cache' else 'fresh' end as source,
  (select transaction_id from closed) as "transactionId"
from given`;

export async function failCheck(sql: Sql, checkId: string, now: Date): Promise<void> {
  await sql.all(FAIL_CHECK, { checkId, now });
}

const FAIL_CHECK = statement<{ checkId: string; now: Date }>('fail_check')`
with ${RELEASE_LEASES}
update dncr_checks set outcome = 'failed', finished_at = :now where id = :checkId and outcome = 'open'`;

export interface CachedAnswer extends Omit<KnownAnswer, 'phone' | 'source'> {
  transactionId: string | null;
}

export function readAnswer(sql: Sql, phone: string): Promise<CachedAnswer | null> {
  return sql.first(READ_ANSWER, { phone });
}

const READ_ANSWER = statement<{ phone: string }, CachedAnswer>('read_answer')`
select status, dncr_status as "dncrStatus", registry_status as "registryStatus", checked_at as "checkedAt",
  transaction_id as "transactionId"
from dncr_answers where phone = :phone`;

export interface CheckRecord {
  id: string;
  client: string;
  requestedAt: Date;
  outcome: TableRow<'dncr_checks'>['outcome'];
  fresh: boolean;
  transactionId: string | null;
}

/** Newest first. Reads every record, because it runs rarely. */
export async function readChecksOf(sql: Sql, numberHash: Buffer, limit: number | null) {
  const rows = await sql.all(READ_CHECKS_OF, { numberHash, limit });
  return { rows: rows.map(({ total: _total, ...check }) => check), total: rows[0]?.total ?? 0 };
}

const READ_CHECKS_OF = statement<
  { numberHash: Buffer; limit: number | null },
  CheckRecord & { total: number }
>('read_checks_of')`
select c.id, o.name as client, c.requested_at as "requestedAt", c.outcome, c.fresh,
  c.transaction_id as "transactionId", count(*) over () as total
from dncr_checks c join oauth_clients o on o.id = c.client_id
where :numberHash = any (c.number_hashes) order by c.requested_at desc limit :limit`;

export interface DncrStats {
  cache: CacheStats;
  checks: CheckStats;
  leases: number;
}

interface CacheStats {
  fresh: number;
  expired: number;
  oldest: Date | null;
  newest: Date | null;
}

interface CheckStats {
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
}

export async function readStats(
  sql: Sql,
  { now, freshSince, since }: { now: Date; freshSince: Date; since: Date },
): Promise<DncrStats> {
  const cache = await sql.first(COUNT_ANSWERS, { freshSince });
  const checks = await sql.first(COUNT_CHECKS, { since });
  const leases = await sql.first(COUNT_LEASES, { now });
  if (!cache || !checks || !leases) throw new Error('A count gave no row.');
  return { cache, checks, ...leases };
}

const COUNT_ANSWERS = statement<{ freshSince: Date }, CacheStats>('count_answers')`
select count(*) filter (where checked_at > :freshSince) as fresh,
  count(*) filter (where checked_at <= :freshSince) as expired,
  min(checked_at) as oldest, max(checked_at) as newest
from dncr_answers`;

const total = (column: string) => `coalesce(sum(${column}), 0)`;

const COUNT_CHECKS = statement<{ since: Date }, CheckStats>('count_checks')`
select count(*) filter (where outcome = 'answered') as answered,
  count(*) filter (where outcome = 'failed') as failed, count(*) filter (where outcome = 'open') as open,
  ${total('from_cache')} as "fromCache", ${total('from_registry')} as "fromRegistry",
  ${total('registered')} as registered, ${total('not_registered')} as "notRegistered",
  ${total('not_found')} as "notFound", ${total('unavailable')} as unavailable, ${total('invalid')} as invalid
from dncr_checks where requested_at > :since`;

const COUNT_LEASES = statement<{ now: Date }, { leases: number }>('count_leases')`
select count(*) as leases from dncr_leases where lease_until > :now`;
