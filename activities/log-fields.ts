import { AsyncLocalStorage } from 'node:async_hooks';
import { parseTraceparent } from '../platform/trace-context.ts';

/** What each log line of one running activity names beside the ids that Temporal knows. */
export interface LogFields {
  traceId?: string | undefined;
}

const fieldsOfRunning = new AsyncLocalStorage<LogFields>();

/** Runs an activity that may add to `fields` (logTrace); they stay when it fails. */
export const withLogFields = <Result>(fields: LogFields, activity: () => Promise<Result>) =>
  fieldsOfRunning.run(fields, activity);

/** From now on the log lines of the running activity name the trace of the lead that it works on. */
export function logTrace(traceparent: string | null | undefined): void {
  const fields = fieldsOfRunning.getStore();
  if (fields) fields.traceId = parseTraceparent(traceparent)?.traceId;
}
