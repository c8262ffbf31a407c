import type { KnownAnswer } from '../../domain/dncr/check.ts';
import { createBatcher } from '../db/batcher.ts';
import type { Sql } from '../db/database.ts';
import { RELEASE_LEASES, TAKE_LEASES, type Lease } from './leases.ts';

export interface NewCheck {
  id: string;
  /** The asking client's row, not its public id. */
  clientId: string;
  now: Date;
  fresh: boolean;
  /** Sorted. */
  phones: readonly string[];
  invalid: number;
  /** Answers given after this instant count. */
  freshSince: Date;
  /** When its leases end: until then no other check asks for these numbers. */
  leaseUntil: Date;
}

type CachedRow = Omit<KnownAnswer, 'source'> & { checkId: null };
type OpenedRow = CachedRow | (Lease & { status: null });
type AnsweredRow = Pick<NewCheck, 'id'> & { answers: (string | null)[][] };

export type OpenCheck = (check: NewCheck) => Promise<{ cached: KnownAnswer[]; leases: Lease[] }>;

/**
 * Shares statements among the checks that arrive together and find all their numbers in the cache: none
 * reads what another one writes. The others take leases, where the order decides, each by itself.
 */
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

/** The answers of each check that the cache holds entirely, recorded; undefined for the others. */
async function answerCachedChecks(sql: Sql, checks: readonly NewCheck[]) {
  const rows = await sql.query<AnsweredRow>(ANSWER_CACHED_SQL, { checks: JSON.stringify(checks) });
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

/** Answers by column cost a fraction of what an object for each does. */
const ANSWER_CACHED_SQL = `
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

/**
 * Reads the cache, records the check and leases the numbers that the cache does not hold, in one statement.
 * With all numbers cached it closes the check too. `numberHashes` stand in the order of `phones`.
 */
export async function openCheck(sql: Sql, check: NewCheck & { numberHashes: readonly Buffer[] }) {
  const rows = await sql.query<OpenedRow>(OPEN_CHECK_SQL, check);
  const cached = rows.filter((row) => row.status !== null);
  return {
    cached: cached.map(({ checkId: _, ...answer }) => ({ ...answer, source: 'cache' as const })),
    leases: rows.filter((row) => row.status === null),
  };
}

const OPEN_CHECK_SQL = `
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

type FinishedRow = KnownAnswer & { transactionId: string | null };

/**
 * Reads the answers of the checks that leased the numbers, and closes this check's record. Null when a number
 * has none, not even `unavailable`.
 */
export async function finishCheck(sql: Sql, checkId: string, leases: readonly Lease[], now: Date) {
  const holders = leases.map((lease) => lease.checkId);
  const phones = leases.map((lease) => lease.phone);
  const values = { checkId, now, holders, phones };
  const rows = await sql.query<FinishedRow>(FINISH_CHECK_SQL, values);
  if (rows.length < leases.length) return null;
  return {
    answers: rows.map(({ transactionId: _, ...answer }) => answer),
    transactionId: rows[0]?.transactionId ?? null,
  };
}

/**
 * The check's own call to the registry is the better reference; without one, the call it waited for. To a
 * fresh check an answer that came in while it was being asked for is fresh, whosever call brought it.
 */
const FINISH_CHECK_SQL = `
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

/** Records that the check failed and releases its leases. */
export async function failCheck(sql: Sql, checkId: string, now: Date): Promise<void> {
  await sql.query(FAIL_CHECK_SQL, { checkId, now });
}

const FAIL_CHECK_SQL = `
with ${RELEASE_LEASES}
update dncr_checks set outcome = 'failed', finished_at = :now where id = :checkId and outcome = 'open'`;
