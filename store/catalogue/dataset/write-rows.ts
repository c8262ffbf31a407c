import type { RecordIds } from '../../../domain/catalogue/dataset/record-ids.ts';
import type { Indexed, RecordOf, SectionName } from '../../../domain/catalogue/dataset/sections.ts';
import type { Entry, LookupList } from '../../../domain/catalogue/lookups/lookup-list.ts';
import type { Rule } from '../../../domain/routing/rule-schema.ts';
import type { Sql } from '../../db/database.ts';
import type { SectionRow, SectionTable } from './section-tables.ts';
import type { StagedListings } from './staged-listings.ts';
import { upsert, type Counts } from './upsert.ts';

/** What the writers of the sections work with. */
export interface ImportContext {
  sql: Sql;
  ids: RecordIds;
  languages: LookupList<Entry>;
  /** The section `rules` with names resolved; null without it. */
  rules: Rule[] | null;
  listings: StagedListings;
  /** The e-mail of the agent that had each slug before the import. */
  agentSlugs: ReadonlyMap<string, string>;
  newId: () => string;
  now: Date;
  author: string;
  /** Whether records of a section that are not in the file are disabled. */
  disableMissing: boolean;
  onWritten: (rows: number) => void;
}

export type WriteSection<Name extends SectionName> = (
  context: ImportContext,
  records: readonly Indexed<RecordOf<Name>>[],
) => Promise<Counts>;

/** Writes the rows of a section and switches off those of its table that the file leaves out. */
export async function writeRows(
  context: ImportContext,
  table: Omit<SectionTable, 'fields'>,
  rows: readonly SectionRow[],
  where = 'true',
): Promise<Counts> {
  const counts = await upsert(context.sql, table, rows, context.onWritten);
  const given = 'select unnest($1::uuid[]) as id';
  const ids = rows.map(({ id }) => id);
  return { ...counts, disabled: await disableMissing(context, table, given, [ids], where) };
}

/**
 * Switches off the rows that the file leaves out, where that was asked for; returns how many. `given` is a
 * query of the ids in the file, `where` narrows the table to the section.
 */
export async function disableMissing(
  { sql, disableMissing: isWanted }: ImportContext,
  { name, flag, hasUpdatedAt }: Omit<SectionTable, 'fields'>,
  given: string,
  values: readonly unknown[] = [],
  where = 'true',
): Promise<number> {
  if (!isWanted) return 0;
  const [row] = await sql.query<{ count: number }>(
    `with disabled as (
       update ${name} t set ${flag} = false${hasUpdatedAt ? ', updated_at = now()' : ''}
       where ${flag} and ${where} and not exists (select from (${given}) p where p.id = t.id)
       returning 1)
     select count(*)::int as count from disabled`,
    values,
  );
  return row?.count ?? 0;
}
