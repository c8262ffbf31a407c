import type { Sql } from './database.ts';

/** Some rows of a list, and how many it has. */
export interface Page<Row> {
  rows: Row[];
  total: number;
}

/** The first rows of what `selection` selects, which is counted only where there may be more of it. */
export async function withTotal<Row>(
  sql: Sql,
  rows: Row[],
  { selection, values }: { selection: string; values: { limit: number } },
): Promise<Page<Row>> {
  if (rows.length < values.limit) return { rows, total: rows.length };
  const text = `select count(*)::int as total from (${selection}) selected`;
  const counted = await sql.queryOne<{ total: number }>(text, values);
  return { rows, total: counted?.total ?? rows.length };
}
