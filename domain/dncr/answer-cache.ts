export const CACHED_STATUSES = ['registered', 'not_registered', 'not_found'] as const;
export type CachedStatus = (typeof CACHED_STATUSES)[number];

export const CACHE_TTL_DAYS = 180;

const DAY_MS = 86_400_000;

/** Results from exactly 180 days ago are not fresh. */
export function freshSince(now: Date, days = CACHE_TTL_DAYS): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

export function isFresh(checkedAt: Date, now: Date): boolean {
  return checkedAt > freshSince(now);
}
