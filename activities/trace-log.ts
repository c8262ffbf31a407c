import { AsyncLocalStorage } from 'node:async_hooks';
import { parseTraceparent } from '../platform/trace-context.ts';

/** The trace that an activity has found in the row of its lead. It is in no input, header or result. */
export interface FoundTrace {
  traceId?: string | undefined;
}

const running = new AsyncLocalStorage<FoundTrace>();

/** Runs an activity; `found` has the trace that it finds, also when it fails later. */
export const findTrace = <Result>(found: FoundTrace, activity: () => Promise<Result>) =>
  running.run(found, activity);

/** The running activity works on a lead with this `traceparent`; its log lines name the trace from now on. */
export function logTrace(traceparent: string | null | undefined): void {
  const found = running.getStore();
  if (found) found.traceId = parseTraceparent(traceparent)?.traceId;
}
