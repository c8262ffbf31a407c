import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { findTrace, type FoundTrace } from '../activities/trace-log.ts';

/**
 * A line for each activity that succeeds; Temporal's SDK logs those that fail. Both name the trace of the lead.
 * This logs only: nothing is written to a history, as OpenTelemetry's interceptors would.
 */
export const logActivities: ActivityInterceptorsFactory = ({ log }) => {
  const found: FoundTrace = {};
  return {
    inbound: {
      async execute(input, next) {
        const started = performance.now();
        const result = await findTrace(found, () => next(input));
        log.info('activity', { ms: Math.round((performance.now() - started) * 10) / 10 });
        return result;
      },
    },
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...found }) },
  };
};
