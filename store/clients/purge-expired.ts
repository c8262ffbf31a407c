import { deleteInBatches, type AfterBatch } from '../db/batches.ts';
import type { Sql } from '../db/database.ts';

/** What a day's purge removed, by kind. */
export interface Purged {
  tokens: number;
  quotaDays: number;
  tokenFailures: number;
  previousSecrets: number;
}

/** Kept longer than they count, for an operator who investigates later. */
const RETENTION = {
  tokens: {
    table: 'oauth_tokens',
    where: `r.expires_at < :now::timestamptz - interval '7 days'`,
  },
  quotaDays: {
    table: 'quota_usage',
    where: `r.day < (:now::timestamptz - interval '400 days')::date`,
  },
  tokenFailures: {
    table: 'token_failures',
    where: `r.window_start < :now::timestamptz - interval '2 days'`,
  },
};

/** Removes expired tokens, old counters, old failures of the token endpoint, and secrets of endpoints that sign no more. */
export async function purgeExpired(
  sql: Sql,
  now: Date,
  afterBatch: AfterBatch = () => undefined,
): Promise<Purged> {
  const purge = (kind: keyof typeof RETENTION) =>
    deleteInBatches(sql, { ...RETENTION[kind], values: { now } }, afterBatch);
  return {
    tokens: await purge('tokens'),
    quotaDays: await purge('quotaDays'),
    tokenFailures: await purge('tokenFailures'),
    previousSecrets: (await sql.query(PREVIOUS_SECRETS_SQL, { now })).length,
  };
}

const PREVIOUS_SECRETS_SQL = `
update webhook_endpoints set previous_secret_sealed = null, previous_secret_until = null
where previous_secret_until <= :now returning id`;
