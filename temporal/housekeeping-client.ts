import { ScheduleAlreadyRunning, type Client } from '@temporalio/client';
import {
  HOUSEKEEPING_SCHEDULE_ID,
  housekeepingOptions,
} from '../workflows/contracts/housekeeping.ts';
import type * as workflows from '../workflows/index.ts';

const WORKFLOW_TYPE = 'Housekeeping' satisfies keyof typeof workflows;

export async function ensureHousekeepingSchedule(client: Client, timeZone: string): Promise<void> {
  try {
    await client.schedule.create<typeof workflows.Housekeeping>({
      scheduleId: HOUSEKEEPING_SCHEDULE_ID,
      spec: { calendars: [{ hour: 3, minute: 10 }], timezone: timeZone },
      policies: { overlap: 'SKIP' },
      action: { type: 'startWorkflow', workflowType: WORKFLOW_TYPE, ...housekeepingOptions },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
