import PQueue from 'p-queue';
import type { Database } from '../db/database.ts';

const MAX_KEPT = 100;
/** Some seconds of work. */
const MAX_WAITING = 200;

/** The database as the CRM's lists are searched in it. */
export interface Catalogue extends Database {
  /** Runs a search for similar names in its turn, unless its result is known by its key. */
  searchOnce<Found>(key: string, search: () => Promise<Found>): Promise<Found>;
}

export function createCatalogue(database: Database): Catalogue {
  /** Such a search occupies a processor of Postgres: one at a time leaves the others to the leads. */
  const queue = new PQueue({ concurrency: 1 });
  const pages = new Map<string, Promise<unknown>>();
  return {
    ...database,
    async searchOnce<Found>(key: string, search: () => Promise<Found>) {
      const known = pages.get(key) as Promise<Found> | undefined;
      // 503, as for a statement that took too long.
      if (!known && queue.size >= MAX_WAITING)
        throw Object.assign(new Error('Too many searches are waiting.'), { code: '57014' });
      const page = known ?? queue.add(search);
      pages.set(key, page);
      page.catch(() => pages.delete(key));
      for (const oldest of pages.keys()) if (pages.size > MAX_KEPT) pages.delete(oldest);
      return page;
    },
  };
}
