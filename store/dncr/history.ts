import type { KnownAnswer } from '../../domain/dncr/check.ts';
import type { Sql } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { TableRow } from '../tables/index.ts';

type Check = TableRow<'dncr_checks'>;

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
  outcome: Check['outcome'];
  fresh: boolean;
  transactionId: string | null;
}

/** Newest first. Reads every record, because it runs rarely. */
export async function readChecksOf(sql: Sql, numberHash: Buffer, limit: number) {
  const rows = await sql.all(READ_CHECKS_OF, { numberHash, limit });
  return { rows: rows.map(({ total: _total, ...check }) => check), total: rows[0]?.total ?? 0 };
}

const READ_CHECKS_OF = statement<
  { numberHash: Buffer; limit: number },
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
