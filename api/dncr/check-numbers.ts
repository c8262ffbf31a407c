import { Counter } from 'prom-client';
import { freshSince } from '../../domain/dncr/registry-answer.ts';
import {
  checkTimeouts,
  type CheckRequest,
  type KnownAnswer,
  type ResultRow,
} from '../../domain/dncr/check.ts';
import { failCheck, finishCheck, type Lease } from '../../store/dncr/checks.ts';
import { awaitDncrChecks } from '../../temporal/dncr-check-client.ts';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';

interface Asked {
  app: AppContext;
  settings: NonNullable<AppContext['config']['dncr']>;
  /** The client's row. */
  clientId: string;
  now: Date;
  /** Called before the registry is asked. */
  release: () => void;
}

/** From the cache alone, in one statement, when it has all; else through the workflow that asks. */
export async function checkNumbers({ phones, inputs, fresh }: CheckRequest, asked: Asked) {
  const { app, settings, clientId, now } = asked;
  const checkId = app.newId();
  const { cached, leases } = await app.openDncrCheck({
    id: checkId,
    clientId,
    now,
    fresh,
    phones,
    invalid: inputs.filter(({ reading }) => reading.kind === 'invalid').length,
    freshSince: freshSince(now),
    leaseUntil: new Date(now.getTime() + checkTimeouts(settings).answerMs),
  });
  if (leases.length === 0) return { answers: byPhone(cached), transactionId: null };
  const { answers, transactionId } = await answersFor(checkId, leases, asked);
  return { answers: byPhone([...cached, ...answers]), transactionId };
}

async function answersFor(checkId: string, leases: readonly Lease[], asked: Asked) {
  const { app, settings, release } = asked;
  release();
  const holders = new Set(leases.map((lease) => lease.checkId));
  const own = holders.delete(checkId) ? checkId : null;
  try {
    await awaitDncrChecks(app.temporal, { own, others: [...holders] }, checkTimeouts(settings));
  } catch (error) {
    app.log.warn({ checkId, reason: String(error) }, 'a DNCR check came to nothing');
    return fail(app, checkId);
  }
  return (await finishCheck(app.database, checkId, leases, app.now())) ?? fail(app, checkId);
}

async function fail(app: AppContext, checkId: string): Promise<never> {
  checkCounter.inc({ outcome: 'failed' });
  await failCheck(app.database, checkId, app.now());
  throw new ApiError(
    'DNCR_UPSTREAM_ERROR',
    'The registry could not be reached; nothing was checked. Try again later.',
  );
}

function byPhone(answers: readonly KnownAnswer[]): Map<string, KnownAnswer> {
  return new Map(answers.map((answer) => [answer.phone, answer]));
}

const numberCounter = new Counter({
  name: 'dncr_numbers_total',
  help: 'Numbers of Do Not Call checks, by status and by where the answer came from.',
  labelNames: ['status', 'source'] as const,
});

const checkCounter = new Counter({
  name: 'dncr_checks_total',
  help: 'Do Not Call checks, by what came of them.',
  labelNames: ['outcome'] as const,
});

export function countCompletedCheck(rows: readonly ResultRow[]): void {
  checkCounter.inc({ outcome: 'answered' });
  for (const { status, source } of rows) numberCounter.inc({ status, source: source ?? 'none' });
}
