import { proxyActivities } from '@temporalio/workflow';
import type { HousekeepingActivities } from '../activities/maintenance/housekeeping.ts';

/** One day's erasures of a database that has kept everything for years take hours. */
const { eraseInactivePersons } = proxyActivities<HousekeepingActivities>({
  summary: 'erase persons of leads without activity',
  startToCloseTimeout: '20 hours',
  heartbeatTimeout: '2 minutes',
  retry: { maximumAttempts: 10 },
});

/** The first day with a setting that removes rows of years takes up to an hour. */
const { purgeExpiredRows } = proxyActivities<HousekeepingActivities>({
  summary: 'remove what is past its time',
  startToCloseTimeout: '20 hours',
  heartbeatTimeout: '2 minutes',
  retry: { maximumAttempts: 10 },
});

/** Started once a day by a Schedule. Without RETAIN_PERSONAL_DAYS nobody is erased. */
export async function Housekeeping() {
  const { inactiveSince, ...purged } = await purgeExpiredRows();
  if (!inactiveSince) return purged;
  return { ...purged, ...(await eraseInactivePersons({ inactiveSince })) };
}
