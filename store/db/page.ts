import { countSelected, type Sql } from './database.ts';

/** No list is counted much further: that there are more is all that its reader is told. */
export const MOST_COUNTED = 10_000;

/** Some rows of a list, and how many it has; above `MOST_COUNTED` it has at least so many. */
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
  const most = Math.max(rows.length, MOST_COUNTED) + 1;
  return { rows, total: await countSelected(sql, selection, { ...values, most }) };
}
