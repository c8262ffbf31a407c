import { housekeepingOptions } from '../../../workflows/contracts/housekeeping.ts';
import type { Housekeeping } from '../../../workflows/housekeeping.ts';
import type { Scenario } from './lead-scenarios.ts';
import { startLiveService } from './live-service.ts';

const DAY_MS = 86_400_000;

export const housekeeping: Scenario = async ({ temporal }) => {
  const workflowId = 'housekeeping-daily';
  await temporal.workflow.execute<typeof Housekeeping>('Housekeeping', {
    workflowId,
    ...housekeepingOptions,
  });
  return workflowId;
};

/** Where persons are erased after a day without activity. */
export const retentionStage = {
  start: () => startLiveService({ RETAIN_PERSONAL_DAYS: '1' }),
  scenarios: {
    'housekeeping-that-erases': (async (service) => {
      const { api, create } = service;
      api.setNow(new Date(Date.now() - 2 * DAY_MS));
      await create();
      api.setNow(null);
      return housekeeping(service);
    }) satisfies Scenario,
  },
};
