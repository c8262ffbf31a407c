import { earlierValues } from '../../domain/lead/earlier-values.ts';
import type { Database } from '../../store/database.ts';
import { readFlagged } from '../../store/leads/read-flagged.ts';
import { resolveLead } from './resolve-lead.ts';
import type { ResolveRequest } from './resolve-lead.ts';

export interface ResolveCounts {
  looked: number;
  resolved: number;
  rerouted: number;
}

const PAGE = 200;

/**
 * Fills the leads whose earlier values match by now, clears only those flags, leaves a note, and sends
 * an ownerless lead back through assignment. One transaction per lead; run again, it finds nothing left.
 */
export async function resolveEarlierValues(
  database: Database,
  request: ResolveRequest,
): Promise<ResolveCounts> {
  const counts: ResolveCounts = { looked: 0, resolved: 0, rerouted: 0 };
  let last: string | null = null;
  for (;;) {
    const page = await readFlagged(database, last, PAGE);
    for (const { id, flags } of page) {
      const isAsking = earlierValues(flags, {}).values.size > 0;
      const attachment = isAsking ? await resolveLead(database, request, id) : null;
      counts.resolved += attachment ? 1 : 0;
      counts.rerouted += attachment?.rerouted ? 1 : 0;
    }
    counts.looked += page.length;
    if (page.length < PAGE) return counts;
    last = page.at(-1)?.id ?? null;
  }
}
