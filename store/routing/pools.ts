import type { Sql } from '../db/database.ts';

/** A pool that is gone has its id for a name. */
export async function readPoolName(sql: Sql, poolId: string): Promise<string> {
  const text = `select name from list_entries where id = :poolId`;
  return (await sql.queryOne<{ name: string }>(text, { poolId }))?.name ?? poolId;
}

export function readPools(sql: Sql): Promise<{ id: string; name: string }[]> {
  return sql.query(
    `select id, name from list_entries where list = 'pool' and enabled order by name, id`,
  );
}
