import { createSql, type Database, type Sql } from '../../../store/db/database.ts';
import { readDevelopers } from '../../../store/catalogue/developers-and-locations.ts';
import { readFilterValues } from '../../../store/catalogue/read-projects.ts';
import { createCatalogue } from '../../../store/catalogue/search.ts';
import { imported, openDatabase } from '../../store/catalogue/open.ts';

const open = await openDatabase();
afterAll(() => open.close());

let round = 0;

/** Every list says which import it comes from. */
function importNext(): Promise<unknown> {
  round += 1;
  const name = `Round ${round}`;
  return imported(open.database, {
    developers: [{ slug: `round-${round}`, name }],
    locations: [{ key: `round-${round}`, name, level: 'community' }],
    propertyTypes: [{ name }],
    projectStatuses: [{ name }],
  });
}

/** A database in which an import lands after every statement of a read. */
function importingMeanwhile(): Database {
  const { database } = open;
  const busy = (sql: Sql): Sql =>
    createSql(async (text, values) => {
      const rows = await sql.query(text, values);
      await importNext();
      return rows as never;
    });
  return {
    ...database,
    ...busy(database),
    transaction: (work, options) =>
      database.transaction((sql) => work({ ...sql, ...busy(sql) }), options),
  };
}

test('the filters are of one moment, whatever is imported between their lists', async () => {
  await importNext();
  const values = await readFilterValues(importingMeanwhile());
  expect(round).toBe(5);
  for (const list of Object.values(values)) expect(list).toHaveLength(1);
});

test.each([
  ['the plain list', {}],
  ['a search', { term: 'round' }],
])('a page and its total are of one moment: %s', async (_what, query) => {
  const before = round;
  const page = { sort: [], limit: 2, offset: 0, ...query };
  const { rows, total } = await readDevelopers(createCatalogue(importingMeanwhile()), page);
  expect([rows.length, total]).toEqual([2, before]);
});
