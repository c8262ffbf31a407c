import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { withLogFields, type LogFields } from '../activities/log-fields.ts';

/**
 * A log line for each activity that succeeds; Temporal's SDK logs those that fail. Both name the trace of the
 * lead. Unlike OpenTelemetry's interceptors, this writes nothing to a history.
 */
export const logActivities: ActivityInterceptorsFactory = ({ log }) => {
  const fields: LogFields = {};
  return {
    inbound: {
      async execute(input, next) {
        const started = performance.now();
        const result = await withLogFields(fields, () => next(input));
        log.info('activity', { ms: Math.round((performance.now() - started) * 10) / 10 });
        return result;
      },
    },
    outbound: { getLogAttributes: (attributes, next) => next({ ...attributes, ...fields }) },
  };
};
