const FIRST_SECONDS = 2;
const LAST_SECONDS = 60;

/**
 * When to ask again for a pending lead: soon at first, then with the lead's age (Assignment response), and
 * late while it waits for an agent.
 */
export function retryAfterSeconds(
  { createdAt, isWaiting }: { createdAt: Date; isWaiting: boolean },
  now: Date,
): number {
  if (isWaiting) return LAST_SECONDS;
  const ageSeconds = Math.max(0, (now.getTime() - createdAt.getTime()) / 1000);
  return Math.min(LAST_SECONDS, Math.max(FIRST_SECONDS, Math.round(ageSeconds / 5)));
}
