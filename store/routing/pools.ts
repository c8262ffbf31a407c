import type { Sql } from '../db/database.ts';

export function readPools(sql: Sql): Promise<{ id: string; name: string }[]> {
  return sql.query(
    `select id, name from list_entries where list = 'pool' and enabled order by name, id`,
  );
}
