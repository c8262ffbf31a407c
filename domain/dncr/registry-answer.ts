import type { CachedStatus } from './answer-cache.ts';
import { localForm, withoutSeparators } from './number.ts';

export type AnswerStatus = CachedStatus | 'unavailable';

export interface RegistryAnswer {
  status: AnswerStatus;
  dncrStatus: string | null;
  registryStatus: string | null;
}

export interface RegistryDetail {
  accountNumber: string;
  dncrStatus: string | null;
  transactionStatus: string | null;
}

const NO_ANSWER: RegistryAnswer = { status: 'unavailable', dncrStatus: null, registryStatus: null };

/** Matches by number, never by order. Contradictory rows are not a result. */
export function matchAnswers(phones: readonly string[], details: readonly RegistryDetail[]) {
  const byPhone = Map.groupBy(details, ({ accountNumber }) => localForm(accountNumber));
  return new Map(phones.map((phone) => [phone, commonAnswer(byPhone.get(phone) ?? [])]));
}

function commonAnswer(details: readonly RegistryDetail[]): RegistryAnswer {
  const [first, ...others] = details.map((detail) =>
    readRegistryStatus(detail.dncrStatus, detail.transactionStatus),
  );
  return first && others.every(({ status }) => status === first.status) ? first : NO_ANSWER;
}

export function readRegistryStatus(dncrStatus: string | null, registryStatus: string | null) {
  return { status: statusOf(dncrStatus, registryStatus), dncrStatus, registryStatus };
}

/** An unknown status is never a clearance. */
function statusOf(dncrStatus: string | null, registryStatus: string | null): AnswerStatus {
  if (dncrStatus === 'TRUE') return 'registered';
  if (dncrStatus === 'FALSE') return 'not_registered';
  if (dncrStatus === null && isNotFoundText(registryStatus)) return 'not_found';
  return 'unavailable';
}

const NOT_FOUND = 'accountnumbernotfound';

/** `Account Number – Not Found`, whatever its dash, spacing and case. */
function isNotFoundText(text: string | null): boolean {
  return text !== null && withoutSeparators(text).toLowerCase().replace(/\.$/, '') === NOT_FOUND;
}
