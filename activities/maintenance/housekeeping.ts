import { Context } from '@temporalio/activity';
import PQueue from 'p-queue';
import { FIXED_AGES, purge } from '../../store/maintenance/retention.ts';
import type { ActivityContext } from '../context.ts';
import { eraseLead, readInactiveLeads } from '../../store/people/erase-lead.ts';
import { beginErasure, finishErasure } from '../../store/people/erasures.ts';

export function createHousekeepingActivities(context: ActivityContext) {
  const { config, database, now } = context;
  return {
    /** Continues an interrupted run. Also returns the time before which inactive leads lose their persons. */
    async purgeExpiredRows(): Promise<PurgeResult> {
      const { retain, retainPersonalMs } = config;
      const purged = await purge(database, { ...FIXED_AGES, ...retain }, now(), beat);
      if (retainPersonalMs === null) return purged;
      return {
        ...purged,
        inactiveSince: new Date(now().getTime() - retainPersonalMs).toISOString(),
      };
    },
    /** An interrupted run is continued with the leads that are left. */
    async eraseInactivePersons({ inactiveSince }: { inactiveSince: string }) {
      return { erasedLeads: await eraseInactive(context, new Date(inactiveSince), beat) };
    },
  };
}

/** Ends the activity after a batch if it was cancelled. Tells the server otherwise that it goes on. */
function beat(): void {
  const activity = Context.current();
  activity.cancellationSignal.throwIfAborted();
  activity.heartbeat();
}

interface PurgeResult {
  inactiveSince?: string;
  [figure: string]: number | string | undefined;
}

export type HousekeepingActivities = ReturnType<typeof createHousekeepingActivities>;

/** More erasures would wait for each other's commit and slow down the day's enquiries. */
const AT_ONCE = 4;

/** The erasure record of a retention has no hashes. A contact keeps its phones and emails until its last lead is erased. */
const hashesOf = () => [];

/**
 * Keeps leads updated after their page was read. Returns how many leads the proof counts, with those of an
 * interrupted run.
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
        eraseLead(database, leadId, { hashesOf, erasureId: id, now: now(), inactiveSince });
      await queue.addAll(page.map((leadId) => () => erase(leadId)));
    }
    beat();
  }
  if (erasureId === null) return 0;
  return (await finishErasure(database, erasureId, now()))?.leads ?? 0;
}
