import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import type { Database } from '../db/database.ts';
import { loadReference } from './load-reference.ts';

/** The lists that a process holds in memory, never older than the version that a caller has seen. */
export interface ReferenceCache {
  /** The lists at `version` or later; reads them once, however many callers wait. */
  atLeast(version: number): Promise<Reference>;
  readonly version: number;
}

export async function createReferenceCache(
  database: Database,
  companyName: string,
): Promise<ReferenceCache> {
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
    async atLeast(version) {
      while (current.version < version) await load();
      return current;
    },
  };
}
