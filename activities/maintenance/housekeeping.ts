import { Context } from '@temporalio/activity';
import { purgeCache } from '../../store/dncr/purge-cache.ts';
import { purgeExpired } from '../../store/clients/purge-expired.ts';
import type { ActivityContext } from '../context.ts';
import { eraseInactive } from './erase-inactive.ts';

export function createHousekeepingActivities(context: ActivityContext) {
  const { config, database, now } = context;
  return {
    /** How many rows were deleted, by kind; and since when leads without activity keep their persons. */
    async purgeExpiredRows() {
      const purged = await purgeExpired(database, now());
      const { answers, numbers, claims } = await purgeCache(database, { now: now() });
      const { retainPersonalMs } = config;
      return {
        ...{ ...purged, dncrAnswers: answers, dncrNumbers: numbers, dncrLeases: claims },
        ...(retainPersonalMs !== null && {
          inactiveSince: new Date(now().getTime() - retainPersonalMs).toISOString(),
        }),
      };
    },
    /** Interrupted, it goes on with the leads that are left. */
    async eraseInactivePersons({ inactiveSince }: { inactiveSince: string }) {
      const activity = Context.current();
      const leads = await eraseInactive(context, new Date(inactiveSince), () => {
        activity.cancellationSignal.throwIfAborted();
        activity.heartbeat();
      });
      return { erasedLeads: leads };
    },
  };
}

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;
