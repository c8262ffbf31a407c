import { setTimeout } from 'node:timers/promises';
import { isConnectionError } from '../../platform/errors.ts';
import { UnknownCommitError, type Database, type Sql } from '../../store/db/database.ts';
import { hasSubmission } from '../../store/leads/write-lead.ts';

/** With one connection others of the pool are often lost, and Postgres may be starting again. */
const LOOKUP_MS = 2000;
const LOOKUP_PAUSE_MS = 50;

/**
 * After a connection was lost during a commit: whether the transaction that stores these submissions happened.
 * `lock` takes the locks of that transaction, so that one that is still about to commit has ended by then. Any
 * other error is thrown again.
 */
export async function wasCommitted(
  database: Database,
  error: unknown,
  submissionIds: readonly string[],
  lock: (sql: Sql) => Promise<void>,
): Promise<boolean> {
  if (!(error instanceof UnknownCommitError)) throw error;
  const giveUpAtMs = performance.now() + LOOKUP_MS;
  for (;;) {
    try {
      return await database.transaction(async (sql) => {
        await lock(sql);
        return hasSubmission(sql, submissionIds);
      });
    } catch (failure) {
      if (performance.now() > giveUpAtMs || !isConnectionError(failure)) throw failure;
    }
    await setTimeout(LOOKUP_PAUSE_MS);
  }
}
