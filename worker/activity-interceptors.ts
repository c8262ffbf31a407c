import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { withLogFields, type LogFields } from '../platform/log-fields.ts';
import { knownCause, toLogError } from '../platform/errors.ts';

/** Logs successes; the SDK logs failures. Unlike OpenTelemetry's interceptors, adds nothing to histories. */
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

/** Messages of Postgres and the ORM quote personal data. Failures that an activity creates itself pass. */
export const hideErrorMessages: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        const isOurs = error instanceof TemporalFailure || error instanceof CompleteAsyncError;
        throw isOurs ? error : toFailure(error);
      }
    },
  },
});

function toFailure(error: unknown): ApplicationFailure {
  const { name, code, stack = '' } = toLogError(error);
  const cause = knownCause(error);
  const what = `Unexpected error${code ? ` ${code}` : ''}`;
  const message = cause
    ? `${what}: ${cause}.`
    : `${what}. Its message is left out, since it may quote a lead.`;
  return Object.assign(ApplicationFailure.create({ message, type: name }), { stack });
}
