import { isTimeZone } from '../../../domain/routing/local-time.ts';
import { openDatabase } from '../catalogue/open.ts';

const open = await openDatabase();
afterAll(() => open.close());

test('every zone that is taken is one of Postgres’s', async () => {
  const rows = await open.database.query<{ name: string }>(`select name from pg_timezone_names`);
  const known = new Set(rows.map(({ name }) => name));
  const taken = [...Intl.supportedValuesOf('timeZone'), ...known].filter(isTimeZone);
  expect(taken.filter((name) => !known.has(name))).toEqual([]);
  expect(taken.length).toBeGreaterThan(400);
  for (const dropped of ['SystemV/PST8', 'US/Pacific-New', 'AST', 'EST5EDT', '+04:00'])
    expect({ dropped, isTaken: isTimeZone(dropped) }).toEqual({ dropped, isTaken: false });
});
