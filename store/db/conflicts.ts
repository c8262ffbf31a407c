import { setTimeout } from 'node:timers/promises';
import { isConnectionError } from '../../platform/errors.ts';

const DEADLOCK = '40P01';
const UNIQUE_VIOLATION = '23505';
const MAX_PAUSE_MS = 20;

function isRetryableConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === DEADLOCK || code === UNIQUE_VIOLATION;
}

/** Whether the database was away or too slow, so that another attempt at once would fare no better. */
export function isUnavailable(error: unknown): boolean {
  return isConnectionError(error) && !isRetryableConflict(error);
}

/** Runs `attempt` again, after a pause of random length, as long as it conflicts with another transaction. */
export async function retryConflicts<T>(attempt: () => Promise<T>, retries: number): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (retries === 0 || !isRetryableConflict(error)) throw error;
  }
  await setTimeout(Math.random() * MAX_PAUSE_MS);
  return retryConflicts(attempt, retries - 1);
}

/** The connection was lost while the commit was under way: nobody knows whether it happened. */
export class UnknownCommitError extends Error {
  constructor(cause: unknown) {
    super('The outcome of a commit is unknown.', { cause });
  }
}

/** Marks the loss of the connection during a commit. An error that leaves the connection open has rolled back. */
export async function withKnownOutcome<T>(commit: Promise<T>): Promise<T> {
  return commit.catch((error: { severity?: string }) => {
    const isLost = isUnavailable(error) && error.severity !== 'ERROR';
    throw isLost ? new UnknownCommitError(error) : error;
  });
}
