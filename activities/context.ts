import { AsyncLocalStorage } from 'node:async_hooks';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Config } from '../platform/config.ts';
import type { Database } from '../store/db/database.ts';
import type { RulesetStore } from '../store/routing/rulesets.ts';
import type { MissingSearchAttributes } from '../workflows/contracts/search-attributes.ts';
import { parseTraceparent } from '../platform/trace-context.ts';

export interface ActivityContext {
  config: Config;
  database: Database;
  rulesets: RulesetStore;
  /** Names of the search attributes that the namespace lacks and this worker may not add. */
  missingSearchAttributes: () => readonly string[];
  now: () => Date;
  newId: () => string;
}

export function withMissingAttributes<T extends object>(
  result: T,
  missingSearchAttributes: readonly string[],
): T & MissingSearchAttributes {
  return missingSearchAttributes.length > 0 ? { ...result, missingSearchAttributes } : result;
}

export interface LogFields {
  traceId?: string | undefined;
}

const fieldsOfRunning = new AsyncLocalStorage<LogFields>();

/** The fields stay if the activity fails. */
export const withLogFields = <Result>(fields: LogFields, activity: () => Promise<Result>) =>
  fieldsOfRunning.run(fields, activity);

export function logTrace(traceparent: string | null | undefined): void {
  const fields = fieldsOfRunning.getStore();
  if (fields) fields.traceId = parseTraceparent(traceparent)?.traceId;
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
