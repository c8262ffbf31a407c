import PQueue from 'p-queue';
import { eraseLead, readInactiveLeads } from '../../store/people/erase-lead.ts';
import { beginErasure, finishErasure } from '../../store/people/erasures.ts';
import type { ActivityContext } from '../context.ts';

/** More would wait for each other's commit, and slow down the day's enquiries. */
const AT_ONCE = 4;

/** The proof of a retention names nobody, and a contact keeps what it is known by until its last lead. */
const OF_MANY = { hashesOf: () => [], leavesContact: false } as const;

/**
 * Erases the persons of all leads without activity since a time, under one proof for all; one that got an update
 * after its page was read stays. `beat` is called after each page of leads. Returns how many leads the proof
 * counts, those of an interrupted run before included.
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
