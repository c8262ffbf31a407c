export const CACHE_TTL_DAYS = 180;

const DAY_MS = 86_400_000;

/** An answer counts while it was given after this instant: 180 days later to the second it does not. */
export function freshSince(now: Date, days = CACHE_TTL_DAYS): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

export function isFresh(checkedAt: Date, now: Date): boolean {
  return checkedAt > freshSince(now);
}
