const FIRST_SECONDS = 2;
const LAST_SECONDS = 60;

/** When to ask again for a pending lead: soon at first, then with the lead's age (Assignment response). */
export function retryAfterSeconds(createdAt: Date, now: Date): number {
  const ageSeconds = Math.max(0, (now.getTime() - createdAt.getTime()) / 1000);
  return Math.min(LAST_SECONDS, Math.max(FIRST_SECONDS, Math.round(ageSeconds / 5)));
}
