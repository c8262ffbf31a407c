import type { ImportContext } from './import-context.ts';
import { upsert } from './upsert.ts';
import type { Counts } from './upsert.ts';
import type { SectionRow, SectionTable } from './section-tables.ts';

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
