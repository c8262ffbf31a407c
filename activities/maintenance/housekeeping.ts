import { Context } from '@temporalio/activity';
import PQueue from 'p-queue';
import { purgeExpired } from '../../store/clients/tokens.ts';
import { purgeCache, purgeChecks } from '../../store/dncr/history.ts';
import { purgeDecisions } from '../../store/routing/stored-decisions.ts';
import { purgeDeliveries } from '../../store/webhooks/deliveries.ts';
import { purgeEvents } from '../../store/webhooks/event-feed.ts';
import type { ActivityContext } from '../context.ts';
import { eraseLead, readInactiveLeads } from '../../store/people/erase-lead.ts';
import { beginErasure, finishErasure } from '../../store/people/erasures.ts';

export function createHousekeepingActivities(context: ActivityContext) {
  const { config, database, now } = context;
  return {
    /**
     * Returns how many rows of each kind were deleted, and the time before which inactive leads lose their persons. An
     * interrupted run is continued with the rows that are left.
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
        dncrAnswers: dncr.answers,
        dncrNumbers: dncr.numbers,
        dncrLeases: dncr.leases,
        ...(await purgeKept(context, afterBatch)),
        ...(retainPersonalMs !== null && {
          inactiveSince: new Date(now().getTime() - retainPersonalMs).toISOString(),
        }),
      };
    },
    /** An interrupted run is continued with the leads that are left. */
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

/** Deletes what is kept for a configured number of days. Deliveries are deleted before their events. */
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

/** More erasures would wait for each other's commit and slow down the day's enquiries. */
const AT_ONCE = 4;

/** The proof of a retention names nobody. A contact keeps its phones and e-mails until its last lead is erased. */
const OF_MANY = { hashesOf: () => [], leavesContact: false } as const;

/**
 * Erases the persons of all leads without activity since a time, under one proof. Keeps leads updated after their
 * page was read. Calls `beat` after each page. Returns how many leads the proof counts, with those of an interrupted
 * run.
 */
export async function eraseInactive(
  { database, now, newId }: Pick<ActivityContext, 'database' | 'now' | 'newId'>,
  inactiveSince: Date,
  beat: () => void,
): Promise<number> {
  const queue = new PQueue({ concurrency: AT_ONCE });
  const terms = { reason: 'retention', author: 'RETAIN_PERSONAL_DAYS', hashes: [] } as const;
  let erasureId: string | null = null;
  for await (const page of readInactiveLeads(database, inactiveSince)) {
    if (page.length > 0) {
      const id = (erasureId ??= await beginErasure(database, {
        ...terms,
        id: newId(),
        now: now(),
      }));
      const erase = (leadId: string) =>
        eraseLead(database, leadId, { ...OF_MANY, erasureId: id, now: now(), inactiveSince });
      await queue.addAll(page.map((leadId) => () => erase(leadId)));
    }
    beat();
  }
  if (erasureId === null) return 0;
  return (await finishErasure(database, erasureId, now()))?.leads ?? 0;
}
