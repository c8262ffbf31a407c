import type { KnownAnswer } from '../../domain/dncr/result.ts';
import type { Sql } from '../db/database.ts';
import type { Claim } from './open-check.ts';
import { RELEASE } from './publish-answers.ts';

export interface FinishedCheck {
  answers: KnownAnswer[];
  transactionId: string | null;
}

/**
 * Reads what the checks that claimed the numbers were told, and closes this check's record. Null when a
 * number has no answer, not even silence.
 */
export async function finishCheck(
  sql: Sql,
  checkId: string,
  claims: readonly Claim[],
  now: Date,
): Promise<FinishedCheck | null> {
  const rows = await sql.query<KnownAnswer & { transactionId: string | null }>(STATEMENT, [
    checkId,
    now,
    claims.map((claim) => claim.checkId),
    claims.map((claim) => claim.phone),
  ]);
  if (rows.length < claims.length) return null;
  return {
    answers: rows.map(({ transactionId: _, ...answer }) => answer),
    transactionId: rows[0]?.transactionId ?? null,
  };
}

/**
 * The check's own call to the registry is the better reference; without one, the call it waited for. To a
 * fresh check an answer that came in while it was being asked for is fresh, whosever call brought it.
 */
const STATEMENT = `
with told as materialized (
  select n.phone, n.status, n.dncr_status, n.registry_status, n.checked_at, n.transaction_id,
    n.from_cache and not (select fresh from dncr_checks where id = $1) as from_cache,
    n.check_id = $1 as is_own
  from unnest($3::uuid[], $4::text[]) as wanted (check_id, phone)
  join dncr_check_numbers n on n.check_id = wanted.check_id and n.phone = wanted.phone
  where n.status is not null),
closed as (
  update dncr_checks set outcome = 'answered', finished_at = $2,
    from_cache = from_cache + (select count(*) from told where told.from_cache),
    from_registry = (select count(*) from told where not told.from_cache),
    registered = registered + (select count(*) from told where status = 'registered'),
    not_registered = not_registered + (select count(*) from told where status = 'not_registered'),
    not_found = not_found + (select count(*) from told where status = 'not_found'),
    unavailable = (select count(*) from told where status = 'unavailable'),
    transaction_id = (select transaction_id from told where not told.from_cache
      order by is_own desc, transaction_id limit 1)
  where id = $1 and (select count(*) from told) = cardinality($4::text[])
  returning transaction_id)
select phone, status, dncr_status as "dncrStatus", registry_status as "registryStatus",
  checked_at as "checkedAt", case when from_cache then 'cache' else 'fresh' end as source,
  (select transaction_id from closed) as "transactionId"
from told`;

/** The check comes to nothing: its record says so, and its numbers are free to be asked for again. */
export async function failCheck(sql: Sql, checkId: string, now: Date): Promise<void> {
  await sql.query(FAIL, [checkId, now]);
}

const FAIL = `
with ${RELEASE}
update dncr_checks set outcome = 'failed', finished_at = $2 where id = $1 and outcome = 'open'`;
