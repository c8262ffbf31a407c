import { assertNever } from '../assert-never.ts';
import type { AnswerStatus } from './answer.ts';
import type { MobileNumber } from './number.ts';
import type { ReadInput } from './request.ts';

/** An answer with where and when it came from. */
export interface KnownAnswer {
  phone: string;
  status: AnswerStatus;
  dncrStatus: string | null;
  registryStatus: string | null;
  checkedAt: Date;
  source: 'cache' | 'fresh';
}

/** DNCR result row: all fields are always present. */
export interface ResultRow {
  input: string;
  phone: string | null;
  e164: string | null;
  status: AnswerStatus | 'invalid';
  onDncr: boolean | null;
  dncrStatus: string | null;
  registryStatus: string | null;
  checkedAt: string | null;
  source: 'cache' | 'fresh' | null;
  error: string | null;
}

const blank = {
  phone: null,
  e164: null,
  onDncr: null,
  dncrStatus: null,
  registryStatus: null,
  checkedAt: null,
  source: null,
  error: null,
} as const;

/** One row per input, in the order sent. */
export function resultRows(
  inputs: readonly ReadInput[],
  answers: ReadonlyMap<string, KnownAnswer>,
): ResultRow[] {
  return inputs.map(({ input, reading }) =>
    reading.kind === 'invalid'
      ? { ...blank, input, status: 'invalid', error: reading.fault }
      : answeredRow(input, reading.number, answers.get(reading.number.phone)),
  );
}

/** Without an answer nothing was checked, so there is neither a time nor a source. */
function answeredRow(
  input: string,
  number: MobileNumber,
  answer: KnownAnswer | undefined,
): ResultRow {
  const row = { ...blank, input, ...number };
  if (!answer) return { ...row, status: 'unavailable', error: NO_ANSWER };
  const { status, dncrStatus, registryStatus, source } = answer;
  const told = { ...row, status, dncrStatus, registryStatus, onDncr: onDncr(status) };
  if (status === 'unavailable') {
    const isSilent = dncrStatus === null && registryStatus === null;
    return { ...told, error: isSilent ? NO_ANSWER : NOT_UNDERSTOOD };
  }
  return { ...told, checkedAt: answer.checkedAt.toISOString(), source };
}

const NO_ANSWER = 'The registry gave no answer for this number; try again later.';
const NOT_UNDERSTOOD =
  'The registry gave a status that is not known for this number; try again later.';

/** `not_found` is not a clearance. */
function onDncr(status: AnswerStatus): boolean | null {
  switch (status) {
    case 'registered':
      return true;
    case 'not_registered':
      return false;
    case 'not_found':
    case 'unavailable':
      return null;
    default:
      return assertNever(status);
  }
}
