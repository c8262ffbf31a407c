import PQueue from 'p-queue';
import { errorCode, LOCK_NOT_AVAILABLE } from '../../platform/errors.ts';
import type { Database, TransactionSql } from '../../store/db/database.ts';

/** Leaves connections to the webhooks, the relay and the reconciler. */
const AT_ONCE = 4;
export const LOCK_TIMEOUT_MS = 250;

export type InTransaction = <T>(work: (sql: TransactionSql) => Promise<T>) => Promise<T>;

/** Waiting transactions hold no connection. Throws code 55P03 if the lead or its agents stay locked. */
export function createTransactions(database: Database): InTransaction {
  const queue = new PQueue({ concurrency: AT_ONCE });
  return async <T>(work: (sql: TransactionSql) => Promise<T>): Promise<T> =>
    queue.add(() => database.transaction(work, { lockTimeoutMs: LOCK_TIMEOUT_MS }));
}

export const isLocked = (error: unknown): boolean => errorCode(error) === LOCK_NOT_AVAILABLE;
