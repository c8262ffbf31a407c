import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { AssignmentContext } from '../app/assignment/change-leads.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../store/db/database.ts';
import type { MissingSearchAttributes } from '../workflows/contracts/search-attributes.ts';

export interface ActivityContext extends AssignmentContext {
  config: Config;
  database: Database;
  /** Names of the search attributes that the namespace lacks and this worker may not add. */
  missingSearchAttributes: () => readonly string[];
}

export function withMissingAttributes<T extends object>(
  result: T,
  missingSearchAttributes: readonly string[],
): T & MissingSearchAttributes {
  return missingSearchAttributes.length > 0 ? { ...result, missingSearchAttributes } : result;
}

/** Makes Temporal retry after exactly `delayMs`. The worker is healthy, so the failure has no stack trace. */
export function retryAfter(type: string, delayMs: number, message: string): ApplicationFailure {
  const failure = ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
  failure.stack = '';
  return failure;
}
