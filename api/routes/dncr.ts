import { Counter } from 'prom-client';
import { z } from 'zod';
import {
  checkMeta,
  type CheckRequest,
  checkTimeouts,
  type CheckTimeouts,
  type KnownAnswer,
  MAX_NUMBERS,
  readCheckRequest,
  resultRow,
  resultRows,
} from '../../domain/dncr/check.ts';
import { freshSince } from '../../domain/dncr/answer-cache.ts';
import { failCheck, finishCheck, type Lease } from '../../store/dncr/checks.ts';
import { awaitDncrChecks } from '../../temporal/dncr-check-client.ts';
import { MAX_WAIT_MS } from '../auth/request-limiter.ts';
import type { AppContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { defineQuery, defineRoute, namedObject, type RouteRequest } from '../http/route.ts';

const query = defineQuery({
  fresh: z.enum(['true', 'false', '1', '0']).optional().meta({
    description: 'Skips the cache when true; so does the body field.',
  }),
});

/** Too many numbers is a separate error, checked before the numbers. */
const phones = z.preprocess(
  rejectTooMany,
  z.array(z.string()).min(1).max(MAX_NUMBERS).meta({
    description: '05XXXXXXXX, 5XXXXXXXX, 9715XXXXXXXX, +9715XXXXXXXX or 009715XXXXXXXX.',
  }),
);

const body = z
  .strictObject({
    phones,
    // A default would make it required in the types that openapi-typescript makes.
    fresh: z.boolean().optional().describe('Asks the registry again; without it false.'),
  })
  .meta({ id: 'DncrCheck' });

const meta = namedObject('DncrMeta', {
  requested: z.int().describe('Numbers that were sent.'),
  unique: z.int().describe('Different UAE mobiles among them.'),
  invalid: z.int().describe('Numbers that are not a UAE mobile.'),
  fromCache: z.int().describe('Numbers whose status was cached.'),
  fromRegistry: z.int().describe('Numbers that were sent to the registry.'),
  fresh: z.boolean().describe('True if the cache was skipped.'),
  cacheTtlDays: z.int().describe('Days for which a status is cached.'),
  maxNumbersPerRequest: z.int().describe('Maximum number of numbers in a request.'),
  transactionId: z.string().nullable().describe('Id of the response at the registry.'),
});

const checkResponse = namedObject('DncrCheckResult', {
  data: z.array(resultRow).describe('One row per number, in the order sent.'),
  meta: meta.describe('Counts and settings of the check.'),
});

export const dncrCheck = defineRoute({
  method: 'POST',
  path: '/public/dncr/check',
  operationId: 'checkDncr',
  summary: 'Check mobile numbers against the UAE Do Not Call Registry',
  tag: 'DNCR',
  query,
  body,
  bodyExample: { phones: ['050 123 4567', '+971-55-765-4321'], fresh: false },
  response: { description: 'One row per number, in the order sent', schema: checkResponse },
  errors: ['DNCR_TOO_MANY_NUMBERS', 'DNCR_UPSTREAM_ERROR', 'DNCR_NOT_CONFIGURED'],
  async handle(request) {
    const { app, body: sent } = request;
    const { fresh: wanted } = request.query;
    const settings = app.config.dncr;
    if (!settings)
      throw new ApiError('DNCR_NOT_CONFIGURED', 'DNCR checks are not enabled on this environment.');
    const fresh = sent.fresh === true || wanted === 'true' || wanted === '1';
    const check = readCheckRequest(sent.phones, fresh);
    const { answers, transactionId } = await checkNumbers(check, request, checkTimeouts(settings));
    const data = resultRows(check.inputs, answers);
    checkCounter.inc({ outcome: 'answered' });
    for (const { status, source } of data) numberCounter.inc({ status, source: source ?? 'none' });
    return { data, meta: checkMeta(check, answers, transactionId) };
  },
});

function rejectTooMany(sent: unknown): unknown {
  if (!Array.isArray(sent) || sent.length <= MAX_NUMBERS) return sent;
  throw new ApiError(
    'DNCR_TOO_MANY_NUMBERS',
    `At most ${MAX_NUMBERS} numbers can be checked at once; nothing was checked.`,
    { details: { max: MAX_NUMBERS, received: sent.length } },
  );
}

/** The length of Temporal's queue, in seconds of the registry's rate. */
const QUEUE_SECONDS = 2;

/** Temporal's queue is first come, first served: more checks of one client would make others time out. */
export function registryPlaces(settings: AppContext['config']['dncr']): number {
  return Math.ceil(QUEUE_SECONDS * (settings?.callsPerSecond ?? 1));
}

type Asked = Pick<RouteRequest<unknown, unknown, unknown>, 'app' | 'caller' | 'now' | 'release'>;

async function checkNumbers(
  { phones, inputs, fresh }: CheckRequest,
  asked: Asked,
  timeouts: CheckTimeouts,
) {
  const { app, caller, now } = asked;
  const checkId = app.newId();
  // The check first waits for its turn.
  const longestMs = MAX_WAIT_MS + timeouts.answerMs;
  const { cached, leases } = await app.openDncrCheck({
    id: checkId,
    clientId: caller.id,
    now,
    fresh,
    phones,
    invalid: inputs.filter(({ reading }) => reading.kind === 'invalid').length,
    freshSince: freshSince(now),
    leaseUntil: new Date(app.now().getTime() + longestMs),
  });
  if (leases.length === 0) return { answers: byPhone(cached), transactionId: null };
  const { answers, transactionId } = await answersFor(checkId, leases, asked, timeouts);
  return { answers: byPhone([...cached, ...answers]), transactionId };
}

async function answersFor(
  checkId: string,
  leases: readonly Lease[],
  { app, caller, release }: Asked,
  timeouts: CheckTimeouts,
) {
  release();
  const holders = new Set(leases.map((lease) => lease.checkId));
  const own = holders.delete(checkId) ? checkId : null;
  try {
    await app.limitRegistryCalls({ clientId: caller.id, isGone: () => false }, () =>
      awaitDncrChecks(app.temporal, { own, others: [...holders] }, timeouts),
    );
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
