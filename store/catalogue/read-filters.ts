import { sql as fragment } from 'kysely';
import { SNAPSHOT, type Database, type Sql } from '../db/database.ts';
import { isEnabled } from './read-page.ts';

export type FilterValues = Awaited<ReturnType<typeof readLists>>;

/** All lists of the project filters, whole and of one moment. */
export function readFilterValues(database: Database): Promise<FilterValues> {
  return database.transaction(readLists, SNAPSHOT);
}

async function readLists(sql: Sql) {
  const { tables } = sql;
  const developers = tables.selectFrom('developers').select(['id', 'name']);
  const locations = tables.selectFrom('locations').select(['id', 'name', 'path as fullName']);
  const propertyTypes = tables.selectFrom('list_entries').select(['id', 'name']);
  return {
    developer: await sql.run(developers.where(isEnabled).orderBy('name').orderBy('id')),
    location: await sql.run(locations.where(isEnabled).orderBy('path').orderBy('id')),
    propertyType: await sql.run(
      propertyTypes.where('list', '=', 'propertyType').where(isEnabled).orderBy('key'),
    ),
    status: await readProjectStatuses(sql),
  };
}

export function readProjectStatuses(sql: Sql) {
  const color = fragment<string | null>`attributes ->> 'color'`.as('color');
  const statuses = sql.tables.selectFrom('list_entries').select(['id', 'name', color]);
  return sql.run(statuses.where('list', '=', 'projectStatus').where(isEnabled).orderBy('key'));
}
