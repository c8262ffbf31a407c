import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { knownCause, toLogError } from '../platform/errors.ts';

/**
 * Keeps the messages of unexpected errors out of Temporal, where many can read them: those of Postgres and of the
 * ORM quote rows and parameters, which are a person's data. What an activity says itself passes.
 */
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
