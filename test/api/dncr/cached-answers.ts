import { randomUUID } from 'node:crypto';
import { freshSince } from '../../../domain/dncr/answer-cache.ts';
import type { Sql } from '../../../store/db/database.ts';
import { openCheck } from '../../../store/dncr/checks.ts';
import type { TestApi } from '../../support/api.ts';

/** Puts an answer into the cache as if the registry had given it then. */
export async function giveAnswer(
  sql: Sql,
  { phone, checkedAt }: { phone: string; checkedAt: Date },
): Promise<void> {
  await sql.query(
    `insert into dncr_answers (phone, status, dncr_status, checked_at, transaction_id)
     values ($1, 'not_registered', 'FALSE', $2, 'given')`,
    [phone, checkedAt],
  );
}

/** What an API process leaves that falls right after it claimed a number. */
export async function claim(
  { database, client }: TestApi,
  { phone, at, leaseMs }: { phone: string; at: Date; leaseMs: number },
): Promise<string> {
  const id = randomUUID();
  await openCheck(database, {
    id,
    clientId: client.id,
    now: at,
    fresh: false,
    phones: [phone],
    numberHashes: [],
    invalid: 0,
    freshSince: freshSince(at),
    leaseUntil: new Date(at.getTime() + leaseMs),
  });
  return id;
}
