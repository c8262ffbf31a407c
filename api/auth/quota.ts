import type { Config } from '../../platform/config.ts';
import { ApiError } from '../errors.ts';

const DAY_MS = 86_400_000;

/** Whole seconds until the counter resets, at the end of the UTC day; at least 1. */
function secondsToReset(now: Date): number {
  return Math.max(1, Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000));
}

/** The quota headers of a response; throws 429 when this request is over it. */
export function checkQuota(
  config: Config,
  { dailyQuota, used }: { dailyQuota: number | null; used: number },
  now: Date,
): Record<string, string> {
  const limit = dailyQuota ?? config.dailyQuota;
  const resetSeconds = secondsToReset(now);
  if (used <= limit) return limitHeaders(limit, limit - used, resetSeconds);
  throw exceeded('The quota of this client is used up for today.', limit, resetSeconds);
}

/** 429 with its four headers. */
export function exceeded(message: string, limit: number, resetSeconds: number): ApiError {
  return new ApiError('RATE_LIMITED', message, {
    headers: { ...limitHeaders(limit, 0, resetSeconds), 'Retry-After': String(resetSeconds) },
  });
}

function limitHeaders(limit: number, remaining: number, resetSeconds: number) {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  };
}
