import { Context } from '@temporalio/activity';
import { purgeExpired } from '../../store/clients/tokens.ts';
import { purgeCache, purgeChecks } from '../../store/dncr/history.ts';
import { purgeDecisions } from '../../store/routing/stored-decisions.ts';
import { purgeDeliveries, purgeEvents } from '../../store/webhooks/purge-webhooks.ts';
import type { ActivityContext } from '../context.ts';
import { eraseInactive } from './erase-inactive.ts';

export function createHousekeepingActivities(context: ActivityContext) {
  const { config, database, now } = context;
  return {
    /**
     * How many rows were deleted, by kind; and since when leads without activity keep their persons. Interrupted, it
     * goes on with the rows that are left.
     */
    async purgeExpiredRows() {
      const activity = Context.current();
      const afterBatch = () => {
        activity.cancellationSignal.throwIfAborted();
        activity.heartbeat();
      };
      const purged = await purgeExpired(database, now(), afterBatch);
      const dncr = await purgeCache(database, { now: now() }, afterBatch);
      const { retainPersonalMs } = config;
      return {
        ...purged,
        ...{ dncrAnswers: dncr.answers, dncrNumbers: dncr.numbers, dncrLeases: dncr.claims },
        ...(await purgeKept(context, afterBatch)),
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

/** What is kept for a number of days, where the configuration has one. Deliveries go before the events that they are of. */
export async function purgeKept(
  { config: { retain }, database, now }: Pick<ActivityContext, 'config' | 'database' | 'now'>,
  afterBatch: () => void,
) {
  const purge = async <T extends object>(
    keptMs: number | null,
    kind: (before: Date) => Promise<T>,
  ) => (keptMs === null ? {} : kind(new Date(now().getTime() - keptMs)));
  return {
    ...(await purge(retain.deliveriesMs, (before) =>
      purgeDeliveries(database, before, afterBatch),
    )),
    ...(await purge(retain.eventsMs, async (before) => ({
      events: await purgeEvents(database, before, afterBatch),
    }))),
    ...(await purge(retain.explanationsMs, (before) =>
      purgeDecisions(database, before, afterBatch),
    )),
    ...(await purge(retain.checksMs, async (before) => ({
      checks: await purgeChecks(database, before, afterBatch),
    }))),
  };
}

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;
