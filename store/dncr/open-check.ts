import type { KnownAnswer } from '../../domain/dncr/result.ts';
import type { Sql } from '../db/database.ts';

export interface NewCheck {
  id: string;
  /** The asking client's row, not its public id. */
  clientId: string;
  now: Date;
  fresh: boolean;
  /** Sorted. */
  phones: readonly string[];
  numberHashes: readonly Buffer[];
  invalid: number;
  /** Answers given after this instant count. */
  freshSince: Date;
  /** Until then nobody else asks for the numbers that this check claims. */
  leaseUntil: Date;
}

/** A number without a cached answer, and the check that asks for it: this one or an earlier one. */
export interface Claim {
  phone: string;
  checkId: string;
}

export interface OpenedCheck {
  cached: KnownAnswer[];
  claims: Claim[];
}

type CachedRow = Omit<KnownAnswer, 'source'> & { checkId: null };
type OpenedRow = CachedRow | (Claim & { status: null });

/**
 * Reads the cache, leaves the record of the check and claims what the cache does not hold, in one
 * statement. With all numbers cached the check is over with it.
 */
export async function openCheck(sql: Sql, check: NewCheck): Promise<OpenedCheck> {
  const rows = await sql.query<OpenedRow>(STATEMENT, [
    check.id,
    check.clientId,
    check.now,
    check.fresh,
    check.phones,
    check.numberHashes,
    check.invalid,
    check.freshSince,
    check.leaseUntil,
  ]);
  return {
    cached: rows.filter((row) => row.status !== null).map((row) => cachedAnswer(row)),
    claims: rows.filter((row) => row.status === null),
  };
}

function cachedAnswer({ checkId: _, ...answer }: CachedRow): KnownAnswer {
  return { ...answer, source: 'cache' };
}

/**
 * A claim that another check holds is written again unchanged: only so does the statement see who holds
 * it, also when that was committed after the statement began.
 */
const STATEMENT = `
with cached as materialized (
  select phone, status, dncr_status, registry_status, checked_at from dncr_answers
  where phone = any($5::text[]) and checked_at > $8 and not $4::boolean),
missing as materialized (
  select phone from unnest($5::text[]) as wanted (phone)
  where phone not in (select phone from cached) order by phone),
recorded as (
  insert into dncr_checks (id, client_id, requested_at, finished_at, outcome, fresh, number_hashes,
    invalid, from_cache, registered, not_registered, not_found)
  select $1::uuid, $2::uuid, $3::timestamptz,
    case when not exists (select from missing) then $3::timestamptz end,
    case when exists (select from missing) then 'open' else 'answered' end,
    $4, $6::bytea[], $7::int, count(*),
    count(*) filter (where status = 'registered'),
    count(*) filter (where status = 'not_registered'),
    count(*) filter (where status = 'not_found')
  from cached),
claimed as (
  insert into dncr_leases as held (phone, check_id, lease_until)
  select phone, $1, $9::timestamptz from missing
  on conflict (phone) do update set
    check_id = case when held.lease_until <= $3 then excluded.check_id else held.check_id end,
    lease_until = case when held.lease_until <= $3 then excluded.lease_until else held.lease_until end
  returning phone, check_id),
numbers as (
  insert into dncr_check_numbers (check_id, phone)
  select check_id, phone from claimed where check_id = $1)
select phone, status, dncr_status as "dncrStatus", registry_status as "registryStatus",
  checked_at as "checkedAt", null::uuid as "checkId" from cached
union all
select phone, null, null, null, null, check_id from claimed`;
