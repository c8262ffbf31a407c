import type { KnownAnswer } from '../../domain/dncr/result.ts';
import type { Sql } from '../db/database.ts';
import type { Lease } from './open-check.ts';
import { RELEASE_LEASES } from './registry-answers.ts';

export interface FinishedCheck {
  answers: KnownAnswer[];
  transactionId: string | null;
}

/**
 * Reads the answers of the checks that leased the numbers, and closes this check's record. Null when a number
 * has none, not even `unavailable`.
 */
export async function finishCheck(
  sql: Sql,
  checkId: string,
  leases: readonly Lease[],
  now: Date,
): Promise<FinishedCheck | null> {
  const rows = await sql.query<KnownAnswer & { transactionId: string | null }>(FINISH_CHECK_SQL, {
    ...{ checkId, now },
    holders: leases.map((lease) => lease.checkId),
    phones: leases.map((lease) => lease.phone),
  });
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
