import type { Sql } from '../db/database.ts';

export interface RemainingNumbers {
  /** How many still have to be asked of the registry. */
  remaining: number;
  oauthClientId: string;
}

/**
 * Takes for the claimed numbers what was answered between the look into the cache and the claim, so that
 * it is not asked again. A fresh check takes only what was answered since it began. Null for no such check.
 */
export async function answerFromCache(
  sql: Sql,
  checkId: string,
  freshSince: Date,
): Promise<RemainingNumbers | null> {
  const [row] = await sql.query<RemainingNumbers & Record<string, unknown>>(STATEMENT, [
    checkId,
    freshSince,
  ]);
  return row ?? null;
}

const STATEMENT = `
with found as (
  update dncr_check_numbers n
  set status = a.status, dncr_status = a.dncr_status, registry_status = a.registry_status,
    checked_at = a.checked_at, transaction_id = a.transaction_id, from_cache = not c.fresh
  from dncr_answers a, dncr_checks c
  where n.check_id = $1 and n.status is null and a.phone = n.phone and c.id = n.check_id
    and a.checked_at > case when c.fresh then c.requested_at else $2::timestamptz end
  returning n.phone)
select o.client_id as "oauthClientId",
  (select count(*) from dncr_check_numbers n
   where n.check_id = c.id and n.status is null
     and n.phone not in (select phone from found)) as remaining
from dncr_checks c join oauth_clients o on o.id = c.client_id
where c.id = $1`;
