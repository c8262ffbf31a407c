import PQueue from 'p-queue';
import { errorCode, LOCK_NOT_AVAILABLE } from '../../platform/errors.ts';
import type { Database, TransactionSql } from '../../store/db/database.ts';
import { retryAfter } from '../context.ts';

/** Leaves connections to the webhooks, the relay and the reconciler. */
const AT_ONCE = 4;
const LOCK_TIMEOUT_MS = 250;
const LOCKED = 'Locked';

export type RunRouting = <T>(work: (sql: TransactionSql) => Promise<T>) => Promise<T>;

/** Waiting transactions hold no connection. */
export function createRoutingTransactions(database: Database): RunRouting {
  const queue = new PQueue({ concurrency: AT_ONCE });
  return async <T>(work: (sql: TransactionSql) => Promise<T>): Promise<T> =>
    queue.add(async () => {
      try {
        return await database.transaction(work, { lockTimeoutMs: LOCK_TIMEOUT_MS });
      } catch (error) {
        if (!isLocked(error)) throw error;
        const delayMs = LOCK_TIMEOUT_MS * (1 + Math.random());
        throw retryAfter(LOCKED, delayMs, 'Another decision holds the lead or its agents.');
      }
    });
}

export const isLocked = (error: unknown): boolean => errorCode(error) === LOCK_NOT_AVAILABLE;

export function isLockedFailure(error: unknown): boolean {
  return (error as { type?: unknown }).type === LOCKED;
}
