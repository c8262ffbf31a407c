import { Context } from '@temporalio/activity';
import PQueue from 'p-queue';
import { FIXED_AGES, purge } from '../../store/maintenance/retention.ts';
import type { ActivityContext } from '../context.ts';
import { eraseLead, readInactiveLeads } from '../../store/people/erase-lead.ts';
import { beginErasure, finishErasure } from '../../store/people/erasures.ts';

export function createHousekeepingActivities(context: ActivityContext) {
  const { config, database, now } = context;
  return {
    /** Continues an interrupted run. Returns since when leads must be inactive to be anonymised. */
    async purgeExpiredRows(): Promise<PurgeResult> {
      const { retain, retainPersonalMs } = config;
      const purged = await purge(database, { ...FIXED_AGES, ...retain }, now(), beat);
      if (retainPersonalMs === null) return purged;
      return {
        ...purged,
        inactiveSince: new Date(now().getTime() - retainPersonalMs).toISOString(),
      };
    },
    async eraseInactivePersons({ inactiveSince }: { inactiveSince: string }) {
      return { erasedLeads: await eraseInactive(context, new Date(inactiveSince), beat) };
    },
  };
}

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

/** More erasures would wait for each other's commit and delay new enquiries. */
const AT_ONCE = 4;

/** Skips leads updated since their page was read. The count includes the leads of an interrupted run. */
export async function eraseInactive(
  { database, now, newId }: Pick<ActivityContext, 'database' | 'now' | 'newId'>,
  inactiveSince: Date,
  beat: () => void,
): Promise<number> {
  const queue = new PQueue({ concurrency: AT_ONCE });
  let erasureId: string | null = null;
  for await (const page of readInactiveLeads(database, inactiveSince)) {
    if (page.length > 0) {
      const id = (erasureId ??= await beginErasure(database, {
        reason: 'retention',
        author: 'RETAIN_PERSONAL_DAYS',
        hashes: [],
        id: newId(),
        now: now(),
      }));
      // Without hashes: a contact keeps its phones and emails until its last lead is erased.
      const terms = { hashesOf: () => [], erasureId: id, inactiveSince };
      const erase = (leadId: string) => eraseLead(database, leadId, { ...terms, now: now() });
      await queue.addAll(page.map((leadId) => () => erase(leadId)));
    }
    beat();
  }
  if (erasureId === null) return 0;
  return (await finishErasure(database, erasureId, now()))?.leads ?? 0;
}
