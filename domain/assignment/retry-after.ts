import type { AssignmentStatus } from './assignment-cause.ts';

const FIRST_SECONDS = 2;
const LAST_SECONDS = 60;

/** Grows with the age of a pending lead (Assignment response). */
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
