import type { ListEntry } from '../../domain/catalogue/lookups/crm-lists.ts';
import type { Reference } from '../../domain/catalogue/lookups/reference.ts';
import { SNAPSHOT, type Database } from '../db/database.ts';
import { loadReference } from './load-reference.ts';
import { isEnabled } from './read-page.ts';

export type ListValue = Pick<ListEntry, 'id' | 'key' | 'name' | 'aliases' | 'parentId'> & {
  list: string;
};

export interface InstalledValues {
  reference: Reference;
  /** The enabled entries of the imported lists. */
  entries: ListValue[];
  /** The levels of the tree of locations. */
  levels: string[];
}

/** What an operator hands to an integrator: the lists as this installation has them. */
export async function readValues(
  database: Database,
  companyName: string,
): Promise<InstalledValues> {
  const reference = await loadReference(database, companyName);
  return database.transaction(async ({ tables, run }) => {
    const entries = tables
      .selectFrom('list_entries')
      .select(['id', 'list', 'key', 'name', 'aliases', 'parent_id as parentId'])
      .where(isEnabled)
      .orderBy('name')
      .orderBy('key');
    const levels = tables.selectFrom('locations').select('level').distinct().where(isEnabled);
    return {
      reference,
      entries: await run(entries),
      levels: (await run(levels.orderBy('level'))).map(({ level }) => level),
    };
  }, SNAPSHOT);
}
