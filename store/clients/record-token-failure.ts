import type { Sql } from '../database.ts';

/**
 * Counts one failed token call under each key, in the window that began at `windowStart`, and tells the
 * counts in the order of the keys.
 */
export async function recordTokenFailure(
  sql: Sql,
  keys: readonly string[],
  windowStart: Date,
): Promise<number[]> {
  // Sorted, so that two calls at once cannot wait for each other.
  const sorted = keys.toSorted();
  const rows = await sql.query<{ key: string; failures: number }>(STATEMENT, [sorted, windowStart]);
  const counts = new Map(rows.map((row) => [row.key, row.failures]));
  return keys.map((key) => counts.get(key) ?? 0);
}

const STATEMENT = `
insert into token_failures as f (key, window_start, failures)
select key, $2, 1 from unnest($1::text[]) with ordinality as k (key, position) order by position
on conflict (key, window_start) do update set failures = f.failures + 1
returning key, failures`;
