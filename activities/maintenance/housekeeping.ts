import { ScheduleAlreadyRunning } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { purgeCache } from '../../store/dncr/purge-cache.ts';
import { purgeExpired } from '../../store/db/purge-expired.ts';
import { queues, schedules, workflowTypes } from '../../workflows/messages.ts';
import type { ActivityContext } from '../context.ts';

export function createHousekeepingActivities({ database, now }: ActivityContext) {
  return {
    async purgeExpiredRows(): Promise<Record<string, number>> {
      const purged = await purgeExpired(database, now());
      const { answers, numbers, claims } = await purgeCache(database, { now: now() });
      return { ...purged, dncrAnswers: answers, dncrNumbers: numbers, dncrClaims: claims };
    },
  };
}

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;

/** Makes the daily Schedule where it is missing; an operator's changes to it are left alone. */
export async function ensureHousekeeping(client: Client): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: schedules.housekeeping,
      spec: { calendars: [{ hour: 3, minute: 10 }], timezone: 'Asia/Dubai' },
      policies: { overlap: 'SKIP' },
      action: {
        type: 'startWorkflow',
        workflowType: workflowTypes.housekeeping,
        taskQueue: queues.lifecycle,
        staticSummary: 'Daily tidying',
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
