import { ApiError } from '../errors.ts';

const DAY_MS = 86_400_000;

/** Whole seconds until the counter resets, at the end of the UTC day; at least 1. */
export function secondsToReset(now: Date): number {
  return Math.max(1, Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000));
}

export function quotaHeaders(quota: {
  limit: number;
  used: number;
  now: Date;
}): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(quota.limit),
    'X-RateLimit-Remaining': String(Math.max(0, quota.limit - quota.used)),
    'X-RateLimit-Reset': String(secondsToReset(quota.now)),
  };
}

export function rateLimited(limit: number, now: Date): ApiError {
  return new ApiError('RATE_LIMITED', 'The quota of this client is used up for today.', {
    headers: {
      ...quotaHeaders({ limit, used: limit, now }),
      'Retry-After': String(secondsToReset(now)),
    },
  });
}
