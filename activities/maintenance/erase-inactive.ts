import PQueue from 'p-queue';
import type { Database } from '../../store/db/database.ts';
import { eraseLead, type LeadErasure } from '../../store/people/erase-lead.ts';
import { beginErasure, finishErasure } from '../../store/people/erasures.ts';
import { readInactiveLeads } from '../../store/people/inactive-leads.ts';
import type { ActivityContext } from '../context.ts';

/** More would wait for each other's commit, and slow down the day's enquiries. */
const AT_ONCE = 4;

/**
 * Erases the persons of all leads without activity since a time, under one proof for all. `beat` is called after
 * each page of leads. Returns how many leads the proof counts, those of an interrupted run before included.
 */
export async function eraseInactive(
  { database, now, newId }: Pick<ActivityContext, 'database' | 'now' | 'newId'>,
  inactiveSince: Date,
  beat: () => void,
): Promise<number> {
  const terms = { reason: 'retention', author: 'RETAIN_PERSONAL_DAYS', hashes: [] } as const;
  let erasureId: string | null = null;
  for await (const page of readInactiveLeads(database, inactiveSince)) {
    if (page.length > 0) {
      erasureId ??= await beginErasure(database, { ...terms, id: newId(), now: now() });
      await eraseLeads(database, page, { erasureId, now: now() });
    }
    beat();
  }
  if (erasureId === null) return 0;
  return (await finishErasure(database, erasureId, now()))?.leads ?? 0;
}

async function eraseLeads(database: Database, leadIds: readonly string[], erasure: LeadErasure) {
  const queue = new PQueue({ concurrency: AT_ONCE });
  await queue.addAll(leadIds.map((leadId) => () => eraseLead(database, leadId, erasure)));
}
