import type { AssignmentStatus } from './assignment-event.ts';

const FIRST_SECONDS = 2;
const LAST_SECONDS = 60;

/**
 * The seconds after which an integrator asks again for a pending lead: few at first, more with the lead's age
 * (Assignment response), and the most while it waits for an agent. Null for a lead that is not pending.
 */
export function retryAfterSeconds(
  {
    status,
    createdAt,
    isWaiting,
  }: { status: AssignmentStatus; createdAt: Date; isWaiting: boolean },
  now: Date,
): number | null {
  if (status !== 'pending') return null;
  if (isWaiting) return LAST_SECONDS;
  const ageSeconds = Math.max(0, (now.getTime() - createdAt.getTime()) / 1000);
  return Math.min(LAST_SECONDS, Math.max(FIRST_SECONDS, Math.round(ageSeconds / 5)));
}
