import { AsyncLocalStorage } from 'node:async_hooks';
import { parseTraceparent } from './trace-context.ts';

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
