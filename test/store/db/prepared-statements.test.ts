import { connectDatabase } from '../../../store/db/database.ts';
import { statement, statementVariants, type NoParams } from '../../../store/db/statement.ts';
import { createTestDatabase } from '../../support/database.ts';

const own = await createTestDatabase();
const database = await connectDatabase({ url: own.url, poolSize: 1, connectTimeoutMs: 60_000 });

afterAll(async () => {
  await database.close();
  await own.drop();
});

const FIRST_OF_TRANSACTION = statement<NoParams, { found: number }>(
  'test_first',
)`select 1 as found`;

async function preparedNames(): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    'select name from pg_prepared_statements order by 1',
  );
  return rows.map(({ name }) => name);
}

test('a statement is prepared once under its name, however often it runs', async () => {
  const ADD = statement<{ wanted: number }, { found: number }>(
    'test_add',
  )`${'select :wanted::int as found'}`;
  for (const wanted of [1, 2, 3])
    expect(await database.all(ADD, { wanted })).toEqual([{ found: wanted }]);
  expect(await preparedNames()).toEqual(['test_add']);

  const LAST = statement<{ wanted: number }, { found: number }>(
    'test_last',
  )`select :wanted::int as found`;
  await database.transaction(async (sql) => {
    await sql.all(FIRST_OF_TRANSACTION, {});
    await sql.allAndCommit(LAST, { wanted: 4 });
  });
  expect(await preparedNames()).toEqual(['test_add', 'test_first', 'test_last']);
});

test('two statements of one name are refused', () => {
  const declare = () =>
    statement<NoParams, { found: number }>('test_twice')`${'select 1 as found'}`;
  declare();
  expect(declare).toThrow('Two statements are named test_twice.');
});

test('texts without end do not fill a connection, and all return rows', async () => {
  const variant = statementVariants<{ one: number }, { sum: number }>('test_sum');
  const before = await preparedNames();
  for (let nth = 0; nth < 250; nth++)
    expect(await database.first(variant(`select :one::int + ${nth} as sum`), { one: 1 })).toEqual({
      sum: nth + 1,
    });
  expect(await preparedNames()).toHaveLength(before.length + 200);
});

test('named parameters are bound by name, once each, but for literals and casts', async () => {
  const text = `select :wanted::int + :wanted as sum, 'HH24:mi' as literal, :day::date as day`;
  expect(await database.query(text, { day: '2026-03-01', wanted: 2, other: 1 })).toEqual([
    { sum: 4, literal: 'HH24:mi', day: '2026-03-01' },
  ]);
  await expect(database.query(text, { wanted: 2 })).rejects.toThrow('no value for :day');
});
