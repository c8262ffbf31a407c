import { z } from 'zod';
import { CACHE_TTL_DAYS } from './answer-cache.ts';
import type { RegistryAnswer } from './registry-answer.ts';
import { readNumber, type MobileNumber } from './number.ts';

export const MAX_NUMBERS = 20;

export type CheckRequest = ReturnType<typeof readCheckRequest>;

/** Sorted, so that leases are taken in one order everywhere. */
export function readCheckRequest(inputs: readonly string[], fresh: boolean) {
  const read = inputs.map((input) => ({ input, reading: readNumber(input) }));
  const phones = read.flatMap(({ reading }) =>
    reading.kind === 'mobile' ? [reading.number.phone] : [],
  );
  return { inputs: read, phones: [...new Set(phones)].sort(), fresh };
}

export interface KnownAnswer extends RegistryAnswer {
  phone: string;
  checkedAt: Date;
  source: 'cache' | 'fresh';
}

/** DNCR result row */
export const resultRow = z
  .object({
    input: z.string().describe('The number exactly as sent.'),
    phone: z.string().nullable().describe('Local form.'),
    e164: z.string().nullable().describe('International form.'),
    status: z
      .enum(['registered', 'not_registered', 'not_found', 'invalid', 'unavailable'])
      .describe('`not_found` is not a clearance.'),
    onDncr: z.boolean().nullable().describe('True if registered, false if clear. Null if unknown.'),
    dncrStatus: z.string().nullable().describe('The raw status of the registry.'),
    registryStatus: z.string().nullable().describe("The registry's text, verbatim."),
    checkedAt: z.iso.datetime().nullable().describe("Time of the registry's response."),
    source: z.enum(['cache', 'fresh']).nullable().describe('`fresh` if the registry was asked.'),
    error: z.string().nullable().describe('Reason why the number has no status.'),
  })
  .meta({ id: 'DncrRow' });
export type ResultRow = z.infer<typeof resultRow>;

const EMPTY_ROW = {
  phone: null,
  e164: null,
  onDncr: null,
  dncrStatus: null,
  registryStatus: null,
  checkedAt: null,
  source: null,
  error: null,
} as const;

export function resultRows(
  inputs: CheckRequest['inputs'],
  answers: ReadonlyMap<string, KnownAnswer>,
): ResultRow[] {
  return inputs.map(({ input, reading }) =>
    reading.kind === 'invalid'
      ? { ...EMPTY_ROW, input, status: 'invalid', error: reading.error }
      : answeredRow(input, reading.number, answers.get(reading.number.phone)),
  );
}

const NO_ANSWER = 'The registry gave no answer for this number; try again later.';
const NOT_UNDERSTOOD =
  'The registry gave a status that is not known for this number; try again later.';

function answeredRow(input: string, number: MobileNumber, answer?: KnownAnswer): ResultRow {
  const row = { ...EMPTY_ROW, input, ...number };
  if (!answer) return { ...row, status: 'unavailable', error: NO_ANSWER };
  const { status, dncrStatus, registryStatus, checkedAt, source } = answer;
  const answered = { ...row, status, dncrStatus, registryStatus };
  if (status === 'unavailable') {
    const hasTexts = dncrStatus !== null || registryStatus !== null;
    return { ...answered, error: hasTexts ? NOT_UNDERSTOOD : NO_ANSWER };
  }
  return { ...answered, onDncr: ON_DNCR[status], checkedAt: checkedAt.toISOString(), source };
}

const ON_DNCR = { registered: true, not_registered: false, not_found: null } as const;

/** `fromCache` and `fromRegistry` add up to `unique`: the registry was also asked for numbers without a result. */
export function checkMeta(
  request: CheckRequest,
  answers: ReadonlyMap<string, KnownAnswer>,
  transactionId: string | null,
) {
  const fromCache = [...answers.values()].filter(({ source }) => source === 'cache').length;
  return {
    requested: request.inputs.length,
    unique: request.phones.length,
    invalid: request.inputs.filter(({ reading }) => reading.kind === 'invalid').length,
    fromCache,
    fromRegistry: request.phones.length - fromCache,
    fresh: request.fresh,
    cacheTtlDays: CACHE_TTL_DAYS,
    maxNumbersPerRequest: MAX_NUMBERS,
    transactionId,
  };
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2000;
/** For the task queue, the database and Temporal, between two steps. */
const SLACK_MS = 1000;

export type CheckTimeouts = ReturnType<typeof checkTimeouts>;

export function checkTimeouts({ tries, timeoutMs }: { tries: number; timeoutMs: number }) {
  const askMs = tries * timeoutMs + pausesMs(tries) + SLACK_MS;
  const checkMs = askMs + 2 * SLACK_MS;
  return {
    tries,
    /** Token and request together. */
    tryMs: timeoutMs,
    /** After this the server counts as unreachable. */
    startMs: timeoutMs,
    askMs,
    checkMs,
    /** For the response of the API. */
    answerMs: checkMs + SLACK_MS,
  };
}

function pausesMs(tries: number): number {
  const pauses = Array.from({ length: tries - 1 }, (_, index) => FIRST_PAUSE_MS * 2 ** index);
  return pauses.reduce((sum, pause) => sum + Math.min(pause, LONGEST_PAUSE_MS), 0);
}
