import { ApiError } from '../errors.ts';

const DAY_MS = 86_400_000;

/** Whole seconds until the counter resets, at the end of the UTC day; at least 1. */
function secondsToReset(now: Date): number {
  return Math.max(1, Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000));
}

export function quotaHeaders(quota: {
  limit: number;
  used: number;
  now: Date;
}): Record<string, string> {
  const remaining = Math.max(0, quota.limit - quota.used);
  return limitHeaders(quota.limit, remaining, secondsToReset(quota.now));
}

export function rateLimited(limit: number, now: Date): ApiError {
  return exceeded('The quota of this client is used up for today.', limit, secondsToReset(now));
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
