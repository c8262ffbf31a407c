import type { Config } from '../../platform/config.ts';
import { ApiError } from '../errors.ts';

const DAY_MS = 86_400_000;

export function secondsToReset(periodMs: number, now: Date): number {
  return Math.max(1, Math.ceil((periodMs - (now.getTime() % periodMs)) / 1000));
}

export function checkQuota(
  config: Config,
  { dailyQuota, used }: { dailyQuota: number | null; used: number },
  now: Date,
): Record<string, string> {
  const limit = dailyQuota ?? config.dailyQuota;
  const resetSeconds = secondsToReset(DAY_MS, now);
  if (used <= limit) return limitHeaders(limit, limit - used, resetSeconds);
  throw exceeded('The quota of this client is used up for today.', limit, resetSeconds);
}

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
