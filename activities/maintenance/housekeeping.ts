import { purgeCache } from '../../store/dncr/purge-cache.ts';
import { purgeExpired } from '../../store/clients/purge-expired.ts';
import type { ActivityContext } from '../context.ts';

export function createHousekeepingActivities({ database, now }: ActivityContext) {
  return {
    /** How many rows were deleted, by kind. */
    async purgeExpiredRows() {
      const purged = await purgeExpired(database, now());
      const { answers, numbers, claims } = await purgeCache(database, { now: now() });
      return { ...purged, dncrAnswers: answers, dncrNumbers: numbers, dncrLeases: claims };
    },
  };
}

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;
