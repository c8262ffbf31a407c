import { connectDatabase } from '../../../store/db/database.ts';
import { MAX_PREPARED } from '../../../store/db/statement.ts';
import { createTestDatabase } from '../../support/database.ts';

const own = await createTestDatabase();
const database = await connectDatabase({ url: own.url, poolSize: 1, connectTimeoutMs: 60_000 });

afterAll(async () => {
  await database.close();
  await own.drop();
});

const PREPARED = 'select count(*) as amount from pg_prepared_statements';

async function preparedOnTheConnection(): Promise<number> {
  const [counted] = await database.query<{ amount: number }>(PREPARED);
  return counted?.amount ?? 0;
}

test('a statement is prepared once, however often it runs', async () => {
  const before = await preparedOnTheConnection();
  for (const wanted of [1, 2, 3])
    expect(await database.query('select $1::int as found', [wanted])).toEqual([{ found: wanted }]);
  expect(await preparedOnTheConnection()).toBe(before + 1);
});

test('texts without end do not fill a connection, and are all answered', async () => {
  for (let nth = 0; nth < MAX_PREPARED + 50; nth++) {
    const rows = await database.query(`select $1::int + ${nth} as sum`, [1]);
    expect(rows).toEqual([{ sum: nth + 1 }]);
  }
  expect(await preparedOnTheConnection()).toBe(MAX_PREPARED);
});

test('named parameters are bound by name, once each, but for literals and casts', async () => {
  const text = `select :wanted::int + :wanted as sum, 'HH24:mi' as literal, :day::date as day`;
  expect(await database.query(text, { day: '2026-03-01', wanted: 2, other: 1 })).toEqual([
    { sum: 4, literal: 'HH24:mi', day: '2026-03-01' },
  ]);
  await expect(database.query(text, { wanted: 2 })).rejects.toThrow('no value for :day');
});
