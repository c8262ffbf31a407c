import type { Answer } from './answer.ts';
import { NO_ANSWER } from './answer.ts';
import { readNumber } from './number.ts';
import { readRegistryStatus } from './registry-status.ts';

export interface RegistryDetail {
  accountNumber: string;
  dncrStatus: string | null;
  transactionStatus: string | null;
}

/**
 * The registry's rows by number, never by order. A number without a row, or with rows that contradict
 * each other, has no answer; rows of numbers that nobody asked for are left aside.
 */
export function matchAnswers(
  phones: readonly string[],
  details: readonly RegistryDetail[],
): Map<string, Answer> {
  const answers = Map.groupBy(details, (detail) => localForm(detail.accountNumber));
  return new Map(phones.map((phone) => [phone, agreed(answers.get(phone) ?? [])]));
}

function localForm(accountNumber: string): string | null {
  const reading = readNumber(accountNumber);
  return reading.kind === 'mobile' ? reading.number.phone : null;
}

function agreed(details: readonly RegistryDetail[]): Answer {
  const [first, ...others] = details.map((detail) =>
    readRegistryStatus(detail.dncrStatus, detail.transactionStatus),
  );
  if (!first) return NO_ANSWER;
  return others.every(({ status }) => status === first.status) ? first : NO_ANSWER;
}
