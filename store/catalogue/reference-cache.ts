import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import type { Database } from '../db/database.ts';
import { loadReference } from './load-reference.ts';

export type ReferenceCache = Awaited<ReturnType<typeof createReferenceCache>>;

/** The lists that a process holds in memory, never older than the version that a caller has seen. */
export async function createReferenceCache(database: Database, companyName: string) {
  let current = await loadReference(database, companyName);
  let loading: Promise<Reference> | null = null;

  function load(): Promise<Reference> {
    loading ??= loadReference(database, companyName)
      .then((loaded) => (current = loaded))
      .finally(() => (loading = null));
    return loading;
  }

  return {
    get version() {
      return current.version;
    },
    /** The lists at `version` or later; reads them once, however many callers wait. */
    async atLeast(version: number): Promise<Reference> {
      while (current.version < version) await load();
      return current;
    },
  };
}
