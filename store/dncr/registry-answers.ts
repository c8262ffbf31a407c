import type { AnswerStatus, RegistryAnswer } from '../../domain/dncr/registry-answer.ts';
import type { Sql } from '../db/database.ts';
import { RELEASE_LEASES } from './leases.ts';

/** The statements of the workflow that asks the registry, in their order. */

/**
 * Takes for the leased numbers what was answered between the reading of the cache and the lease, so that
 * it is not asked again. A fresh check takes only what was answered since it began. Null for no such check,
 * else how many numbers remain to be asked of the registry.
 */
export function answerFromCache(sql: Sql, checkId: string, freshSince: Date) {
  const values = { checkId, freshSince };
  return sql.queryOne<{ remaining: number; oauthClientId: string }>(ANSWER_FROM_CACHE_SQL, values);
}

const ANSWER_FROM_CACHE_SQL = `
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

/** The numbers that a check has leased and that have no answer yet. */
export async function numbersToAsk({ tables, run }: Sql, checkId: string): Promise<string[]> {
  const unanswered = tables
    .selectFrom('dncr_check_numbers')
    .where('check_id', '=', checkId)
    .where('status', 'is', null);
  const rows = await run(unanswered.select('phone').orderBy('phone'));
  return rows.map(({ phone }) => phone);
}

export interface GivenAnswers {
  /** One for each number asked for. */
  answers: ReadonlyMap<string, RegistryAnswer>;
  checkedAt: Date;
  /** The registry's own reference, else the one that we sent. */
  transactionId: string;
}

/** Records what the registry answered, before anything else is done with it. */
export async function recordAnswers(sql: Sql, checkId: string, given: GivenAnswers): Promise<void> {
  const rows = [...given.answers].map(([phone, answer]) => ({ ...answer, phone }));
  await sql.query(RECORD_ANSWERS_SQL, { ...given, checkId, answers: JSON.stringify(rows) });
}

const RECORD_ANSWERS_SQL = `
update dncr_check_numbers n
set status = r.status, dncr_status = r."dncrStatus", registry_status = r."registryStatus",
  checked_at = :checkedAt, transaction_id = :transactionId
from jsonb_to_recordset(:answers::jsonb)
  as r (phone text, status text, "dncrStatus" text, "registryStatus" text)
where n.check_id = :checkId and n.phone = r.phone and n.status is null`;

/**
 * Moves a check's answers into the cache and releases its leases, in one statement: whoever finds no lease
 * any more finds the answer. An older answer never replaces a newer one. An erasure deletes the numbers of running
 * checks first and the cache after them, so that the row locks leave no answer in the cache behind it.
 */
export async function publishAnswers(
  sql: Sql,
  checkId: string,
): Promise<Partial<Record<AnswerStatus, number>>> {
  type Count = { status: AnswerStatus; count: number };
  const rows = await sql.query<Count>(PUBLISH_ANSWERS_SQL, { checkId });
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const PUBLISH_ANSWERS_SQL = `
with given as materialized (
  select phone, status, dncr_status, registry_status, checked_at, transaction_id, number_hash
  from dncr_check_numbers where check_id = :checkId and status is not null and not from_cache for key share),
cached as (
  insert into dncr_answers as known
    (phone, status, dncr_status, registry_status, checked_at, transaction_id, number_hash)
  select * from given where status <> 'unavailable' order by phone
  on conflict (phone) do update set status = excluded.status, dncr_status = excluded.dncr_status,
    registry_status = excluded.registry_status, checked_at = excluded.checked_at,
    transaction_id = excluded.transaction_id, number_hash = excluded.number_hash
  where known.checked_at <= excluded.checked_at),
referenced as (
  update dncr_checks set transaction_id = (select max(transaction_id) from given) where id = :checkId),
${RELEASE_LEASES}
select status, count(*) as count from given group by status`;
