import type { CachedStatus } from '../../domain/dncr/registry-answer.ts';
import type { Sql } from '../db/database.ts';

export interface CachedAnswer {
  status: CachedStatus;
  dncrStatus: string | null;
  registryStatus: string | null;
  checkedAt: Date;
  transactionId: string;
}

/** What the cache holds of a number, past its time or not. */
export async function readAnswer(sql: Sql, phone: string): Promise<CachedAnswer | null> {
  const [row] = await sql.query<CachedAnswer & Record<string, unknown>>(
    `select status, dncr_status as "dncrStatus", registry_status as "registryStatus",
       checked_at as "checkedAt", transaction_id as "transactionId"
     from dncr_answers where phone = $1`,
    [phone],
  );
  return row ?? null;
}

export interface CheckRecord {
  id: string;
  client: string;
  requestedAt: Date;
  outcome: 'open' | 'answered' | 'failed';
  fresh: boolean;
  transactionId: string | null;
}

/** Who asked about a number, newest first. Reads every record: this is asked for rarely. */
export async function readChecksOf(
  sql: Sql,
  numberHash: Buffer,
  limit: number,
): Promise<CheckRecord[]> {
  return sql.query<CheckRecord & Record<string, unknown>>(
    `select c.id, o.name as client, c.requested_at as "requestedAt", c.outcome, c.fresh,
       c.transaction_id as "transactionId"
     from dncr_checks c join oauth_clients o on o.id = c.client_id
     where $1 = any(c.number_hashes) order by c.requested_at desc limit $2`,
    [numberHash, limit],
  );
}
