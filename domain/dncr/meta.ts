import { CACHE_TTL_DAYS } from './cache-lifetime.ts';
import { MAX_NUMBERS } from './request.ts';
import type { CheckRequest } from './request.ts';
import type { KnownAnswer } from './row.ts';

export interface CheckMeta {
  requested: number;
  unique: number;
  invalid: number;
  fromCache: number;
  fromRegistry: number;
  fresh: boolean;
  cacheTtlDays: number;
  maxNumbersPerRequest: number;
  transactionId: string | null;
}

/** `fromCache` and `fromRegistry` add up to `unique`; a number that the registry was silent on was asked. */
export function checkMeta(
  request: CheckRequest,
  answers: ReadonlyMap<string, KnownAnswer>,
  transactionId: string | null,
): CheckMeta {
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
