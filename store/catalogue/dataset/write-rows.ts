import type { RecordIds } from '../../../domain/catalogue/dataset/record-ids.ts';
import type { Indexed, RecordOf, SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Entry, LookupList } from '../../../domain/catalogue/lookups/lookup-list.ts';
import type { Rule } from '../../../domain/routing/rules.ts';
import type { createSectionChanges } from '../../../domain/catalogue/dataset/record-changes.ts';
import type { Sql } from '../../db/database.ts';
import type { Row } from '../../db/insert-rows.ts';
import type { ImportLosses } from './import-losses.ts';
import type { StagedListings } from './staged-listings.ts';
import { sameKeySql, upsert, type Counts, type UpsertTable } from './upsert.ts';

export interface ImportOptions {
  /** Stored with a new version of the routing rules. */
  author: string;
  companyName: string;
  /** Of agents without one of their own. */
  companyTimeZone: string;
  now: Date;
  newId: () => string;
  /** Reports what would change and changes nothing. */
  dryRun?: boolean;
  /** Whether what would be lost may be; without it any loss is refused. */
  accepts?: (losses: ImportLosses) => boolean;
  /** How many changed records of a section are reported; all are counted. */
  shownChanges?: number;
  /** Whether records of a section that are not in the file are disabled. */
  disableMissing?: boolean;
  onProgress?: (section: SectionName, written: number, of: number) => void;
  /** Called once where another import has to end first. */
  onBusy?: () => void;
}

/** What the writers of the sections work with. */
export interface ImportContext extends ImportOptions {
  sql: Sql;
  ids: RecordIds;
  languages: LookupList<Entry>;
  /** The section `rules` with names resolved; null without it. */
  rules: Rule[] | null;
  listings: StagedListings;
  /** Of the listings, which their writer compares; other sections are compared as a whole. */
  listingChanges: ReturnType<typeof createSectionChanges>;
  /** The e-mail of the agent that had each slug before the import. */
  agentSlugs: ReadonlyMap<string, string>;
  onWritten: (rows: number) => void;
}

export type WriteSection<Name extends SectionName> = (
  context: ImportContext,
  records: readonly Indexed<RecordOf<Name>>[],
  section: Name,
) => Promise<Counts>;

/** Writes the rows of a section and removes those that the file leaves out; `where` narrows the table to it. */
export async function writeRows(
  context: ImportContext,
  table: UpsertTable,
  rows: readonly Row[],
  where = 'true',
): Promise<Counts> {
  const counts = await upsert(context.sql, table, rows, context.onWritten);
  const { name, key } = table;
  const given = `select ${key.join(', ')} from jsonb_populate_recordset(null::${name}, $1::jsonb)`;
  const keys = JSON.stringify(rows, [...key]);
  return { ...counts, disabled: await removeMissing(context, table, given, [keys], where) };
}

/**
 * Switches off the rows that the file leaves out, or deletes those of a table without a flag, where that was
 * asked for; returns how many. `given` is a query of the keys in the file.
 */
export async function removeMissing(
  { sql, disableMissing }: ImportContext,
  { name, key, flag, hasUpdatedAt }: UpsertTable,
  given: string,
  values: readonly unknown[] = [],
  where = 'true',
): Promise<number> {
  if (!disableMissing) return 0;
  const set = `${flag} = false${hasUpdatedAt ? ', updated_at = now()' : ''}`;
  const remove = flag
    ? `update ${name} t set ${set} where ${flag} and`
    : `delete from ${name} t where`;
  const [row] = await sql.query<{ count: number }>(
    `with removed as (
       ${remove} ${where} and not exists (select from (${given}) g where ${sameKeySql(key)})
       returning 1)
     select count(*)::int as count from removed`,
    values,
  );
  return row?.count ?? 0;
}
