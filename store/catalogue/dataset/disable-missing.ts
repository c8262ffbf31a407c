import type { ImportContext } from './import-context.ts';

interface Flag {
  table: string;
  column: 'enabled' | 'active' | 'published';
  /** Narrows the table to the section. */
  where?: string;
  hasUpdatedAt?: boolean;
}

/**
 * Switches off what the file leaves out, where that was asked for; returns how many. The ids that are
 * there come as they are or as a query.
 */
export async function disableMissing(
  { sql, disableMissing: isWanted }: ImportContext,
  { table, column, where = 'true', hasUpdatedAt = false }: Flag,
  present: readonly string[] | string,
): Promise<number> {
  if (!isWanted) return 0;
  const isQuery = typeof present === 'string';
  const there = isQuery ? present : 'select unnest($1::uuid[]) as id';
  const [row] = await sql.query<{ count: number }>(
    `with disabled as (
       update ${table} t set ${column} = false${hasUpdatedAt ? ', updated_at = now()' : ''}
       where ${column} and ${where} and not exists (select from (${there}) p where p.id = t.id)
       returning 1)
     select count(*)::int as count from disabled`,
    isQuery ? [] : [present],
  );
  return row?.count ?? 0;
}
