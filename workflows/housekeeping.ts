import { proxyActivities } from '@temporalio/workflow';
import type { HousekeepingActivities } from '../activities/maintenance/housekeeping.ts';

const { purgeExpiredRows } = proxyActivities<HousekeepingActivities>({
  summary: 'remove what is past its time',
  startToCloseTimeout: '10 minutes',
  retry: { maximumAttempts: 10 },
});

/** Started once a day by a Schedule. */
export async function Housekeeping() {
  return purgeExpiredRows();
}
