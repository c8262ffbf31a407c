import { proxyActivities } from '@temporalio/workflow';
import type { HousekeepingActivities } from '../activities/maintenance/housekeeping.ts';

const { purgeExpiredRows } = proxyActivities<HousekeepingActivities>({
  summary: 'remove what is past its time',
  startToCloseTimeout: '10 minutes',
  retry: { maximumAttempts: 10 },
});

/** The daily tidying, started by a Schedule; its result tells what went. */
export async function Housekeeping(): Promise<Record<string, number>> {
  return purgeExpiredRows();
}
