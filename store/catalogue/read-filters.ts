import type { Database, Sql } from '../db/database.ts';

export interface FilterValues {
  developer: { id: string; name: string }[];
  location: { id: string; name: string; fullName: string }[];
  propertyType: { id: string; name: string }[];
  status: { id: string; name: string; color: string | null }[];
}

/** All look-up lists of the project filters, whole and of one moment. */
export function readFilterValues(database: Database): Promise<FilterValues> {
  return database.transaction(readLists, { isolation: 'repeatable read', readOnly: true });
}

async function readLists(sql: Sql): Promise<FilterValues> {
  return {
    developer: await sql.query(`select id, name from developers where enabled order by name, id`),
    location: await sql.query(
      `select id, name, path as "fullName" from locations where enabled order by path, id`,
    ),
    propertyType: await sql.query(
      `select id, name from list_entries where list = 'propertyType' and enabled order by key`,
    ),
    status: await readProjectStatuses(sql),
  };
}

export async function readProjectStatuses(sql: Sql): Promise<FilterValues['status']> {
  return sql.query(
    `select id, name, attributes ->> 'color' as color from list_entries
     where list = 'projectStatus' and enabled order by key`,
  );
}
