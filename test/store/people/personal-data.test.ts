import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { personalData } from '../../../store/people/personal-data.ts';
import type { Database } from '../../../store/db/database.ts';
import { openDatabase, type OpenDatabase } from '../catalogue/open.ts';

let open: OpenDatabase;
let database: Database;
beforeAll(async () => {
  open = await openDatabase('adminUrl');
  ({ database } = open);
});
afterAll(() => open?.close());

/** Of all tables, which test/store/tables holds to the entities. */
async function columnsByTable(): Promise<Record<string, string[]>> {
  const rows = await database.query<{ name: string; columns: string[] }>(
    `select table_name as name, array_agg(column_name::text order by column_name) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'mikro_orm_migrations'
     group by 1`,
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, columns]));
}

const decided = () =>
  Object.fromEntries(
    Object.entries(personalData).map(([table, { personal, others }]) => [
      table,
      [...personal, ...others].toSorted(),
    ]),
  );

describe('the decision which columns are personal', () => {
  test('is made once for every column of every table', async () => {
    expect(decided()).toEqual(await columnsByTable());
  });

  test('is missing for a new column and a new table', async () => {
    await database.query('alter table leads add column passport text');
    await database.query('create table visits (id int)');
    const { leads, visits } = await columnsByTable();
    expect(leads).toEqual([...(decided().leads ?? []), 'passport'].toSorted());
    expect(visits).toEqual(['id']);
    expect(decided()).not.toHaveProperty('visits');
  });

  test('leaves personal columns in no table whose rows are kept as they are', () => {
    for (const { rows, owner, personal } of Object.values(personalData)) {
      expect(rows === 'kept').toBe(personal.length === 0);
      expect(rows === 'kept' || rows === 'rewritten').toBe(owner === null);
    }
  });
});
