import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { Counter, Histogram } from 'prom-client';
import { freshSince } from '../../domain/dncr/answer-cache.ts';
import type { CheckTimeouts } from '../../domain/dncr/check.ts';
import {
  answerFromCache,
  failCheck,
  numbersToAsk,
  publishAnswers,
  recordAnswers,
} from '../../store/dncr/checks.ts';
import type { DncrCheckInput, DncrCheckResult } from '../../workflows/contracts/dncr-check.ts';
import { withMissingAttributes, type ActivityContext } from '../context.ts';
import { RegistryError, registryErrorKinds, type DncrRegistry } from './registry.ts';

interface DncrActivityContext extends Pick<
  ActivityContext,
  'database' | 'missingSearchAttributes' | 'now'
> {
  registry: DncrRegistry;
  timeouts: CheckTimeouts;
}

export type DncrActivities = ReturnType<typeof createDncrActivities>;

/** Inputs and results hold ids and counts only; numbers stay in Postgres. */
export function createDncrActivities(context: DncrActivityContext) {
  const { database, registry, timeouts, now } = context;
  return {
    async readDncrCache({ checkId }: DncrCheckInput) {
      const found = await answerFromCache(database, checkId, freshSince(now()));
      if (!found) throw ApplicationFailure.nonRetryable('Check not found.', 'NoSuchCheck');
      const { tries, tryMs, askMs } = timeouts;
      const limits = { maxAttempts: tries, attemptTimeoutMs: tryMs, scheduleToCloseMs: askMs };
      return withMissingAttributes({ ...found, ...limits }, context.missingSearchAttributes());
    },

    /** Makes no call if an earlier attempt has recorded the answers. */
    async askDncrRegistry({ checkId }: DncrCheckInput) {
      const phones = await numbersToAsk(database, checkId);
      if (phones.length === 0) return { numberCount: 0, transactionId: null };
      const { cancellationSignal } = Context.current();
      const reply = await measureCall(() => registry.ask(phones, cancellationSignal));
      await recordAnswers(database, checkId, reply);
      return { numberCount: phones.length, transactionId: reply.transactionId };
    },

    async storeDncrAnswers({ checkId }: DncrCheckInput): Promise<DncrCheckResult> {
      return publishAnswers(database, checkId);
    },

    async abandonDncrCheck({ checkId }: DncrCheckInput): Promise<void> {
      await failCheck(database, checkId, now());
    },
  };
}

const OUTCOMES = ['answered', 'error', ...registryErrorKinds] as const;

const calls = new Counter({
  name: 'dncr_registry_calls_total',
  help: 'Calls of the Do Not Call registry, by what came of them.',
  labelNames: ['outcome'] as const,
});
// A counter that appears with its first event has no increase.
for (const outcome of OUTCOMES) calls.inc({ outcome }, 0);

const seconds = new Histogram({
  name: 'dncr_registry_call_seconds',
  help: 'How long a call of the registry took, token included.',
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

async function measureCall<T>(call: () => Promise<T>): Promise<T> {
  const stop = seconds.startTimer();
  let outcome: (typeof OUTCOMES)[number] = 'answered';
  try {
    return await call();
  } catch (error) {
    outcome = error instanceof RegistryError ? error.kind : 'error';
    throw error instanceof RegistryError ? toFailure(error) : error;
  } finally {
    stop();
    calls.inc({ outcome });
  }
}

/** Omits the cause: it may quote the response, and many people read histories. */
function toFailure({ name: type, message, kind }: RegistryError): ApplicationFailure {
  const nonRetryable = kind === 'refused';
  return ApplicationFailure.create({ message, type, nonRetryable, details: [kind] });
}
