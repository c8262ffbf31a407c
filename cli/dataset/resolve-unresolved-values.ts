import { unresolvedListings, mayMatch } from '../../domain/leads/unresolved-values.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { Database } from '../../store/db/database.ts';
import { readFlagged, readKnownListings, type FlaggedLead } from '../../store/leads/find-leads.ts';
import { decideResolution, resolveLead, type ResolveRequest } from './resolve-lead.ts';

/**
 * Fills the leads whose unresolved values match by now, clears only those flags, leaves a note, and sends
 * an ownerless lead back through assignment. One transaction per lead; run again, it finds nothing left.
 */
export async function resolveUnresolvedValues(database: Database, request: ResolveRequest) {
  const counts = { checked: 0, resolved: 0, rerouted: 0 };
  for await (const { checked, candidates } of flaggedPages(database, request.reference)) {
    counts.checked += checked;
    for (const id of candidates) {
      const leadChange = await resolveLead(database, request, id);
      counts.resolved += leadChange ? 1 : 0;
      counts.rerouted += leadChange?.rerouted ? 1 : 0;
    }
  }
  return counts;
}

/** Deciding a lead takes some milliseconds, and that there are many is all that an import says. */
export const MOST_RESOLVABLE = 100;

/** The number of leads that `resolveUnresolvedValues` would fill, counted to `MOST_RESOLVABLE`; changes nothing. */
export async function countResolvable(database: Database, reference: Reference): Promise<number> {
  let count = 0;
  for await (const { candidates } of flaggedPages(database, reference)) {
    for (const id of candidates) {
      count += (await decideResolution(database, reference, id)) ? 1 : 0;
      if (count === MOST_RESOLVABLE) return count;
    }
  }
  return count;
}

const PAGE_SIZE = 200;

/** A page at a time, with the ids of the leads of which a value may match by now. */
async function* flaggedPages(database: Database, reference: Reference) {
  for (let last: string | null = null; ;) {
    const page: FlaggedLead[] = await readFlagged(database, last, PAGE_SIZE);
    const named = page.flatMap(({ flags }) => unresolvedListings(flags));
    const listings = await readKnownListings(database, named.filter(isUuid), named);
    const candidates = page
      .filter(({ flags, sourceId }) => mayMatch(flags, { reference, sourceId, listings }))
      .map(({ id }) => id);
    yield { checked: page.length, candidates };
    last = page.at(-1)?.id ?? null;
    if (page.length < PAGE_SIZE) return;
  }
}
