import type { AnswerStatus } from '../../domain/dncr/registry-answer.ts';
import type { Sql } from '../db/database.ts';

/**
 * Moves a check's answers into the cache and gives its claims back, in one statement: whoever finds no
 * claim any more finds the answer. An older answer never replaces a newer one.
 */
export async function publishAnswers(
  sql: Sql,
  checkId: string,
): Promise<Partial<Record<AnswerStatus, number>>> {
  const rows = await sql.query<{ status: AnswerStatus; count: number }>(STATEMENT, [checkId]);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Claims are locked in the order in which they are taken, so that no two checks wait for each other. */
export const RELEASE = `
held as materialized (
  select phone from dncr_leases where check_id = $1 order by phone for update),
released as (
  delete from dncr_leases c using held where c.phone = held.phone and c.check_id = $1)`;

const STATEMENT = `
with given as materialized (
  select phone, status, dncr_status, registry_status, checked_at, transaction_id
  from dncr_check_numbers where check_id = $1 and status is not null and not from_cache),
kept as (
  insert into dncr_answers as known
    (phone, status, dncr_status, registry_status, checked_at, transaction_id)
  select * from given where status <> 'unavailable' order by phone
  on conflict (phone) do update set status = excluded.status, dncr_status = excluded.dncr_status,
    registry_status = excluded.registry_status, checked_at = excluded.checked_at,
    transaction_id = excluded.transaction_id
  where known.checked_at <= excluded.checked_at),
noted as (
  update dncr_checks set transaction_id = (select max(transaction_id) from given) where id = $1),
${RELEASE}
select status, count(*) as count from given group by status`;
