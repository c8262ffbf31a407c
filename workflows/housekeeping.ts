import { proxyActivities } from '@temporalio/workflow';
import type { HousekeepingActivities } from '../activities/maintenance/housekeeping.ts';

/** The first erasures of a database with the leads of years take hours. */
const { eraseInactivePersons } = proxyActivities<HousekeepingActivities>({
  summary: 'erase persons of leads without activity',
  startToCloseTimeout: '20 hours',
  heartbeatTimeout: '2 minutes',
  retry: { maximumAttempts: 10 },
});

/** The first run with a new retention setting takes up to an hour. */
const { purgeExpiredRows } = proxyActivities<HousekeepingActivities>({
  summary: 'remove what is past its time',
  startToCloseTimeout: '20 hours',
  heartbeatTimeout: '2 minutes',
  retry: { maximumAttempts: 10 },
});

/** Erases no customer without RETAIN_PERSONAL_DAYS. */
export async function Housekeeping() {
  const { inactiveSince, ...purged } = await purgeExpiredRows();
  if (!inactiveSince) return purged;
  return { ...purged, ...(await eraseInactivePersons({ inactiveSince })) };
}
