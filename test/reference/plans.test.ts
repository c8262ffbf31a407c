import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readLocations } from '../../store/reference/read-locations.ts';
import { openDatabase } from '../dataset/open.ts';
import type { OpenDatabase } from '../dataset/open.ts';
import { explaining } from './explaining.ts';
import type { Plan } from './explaining.ts';

const LOCATIONS = 100_000;

let open: OpenDatabase;

/** Names such as `Palm Heights f1c159`; all Arabic names begin alike. */
const INSERT = `
  insert into locations (id, key, name, name_ar, level, path)
  select gen_random_uuid(), i::text, name, 'برج ' || i,
    case when i % 1000 = 0 then 'community' else 'building' end, name
  from (select i, concat_ws(' ',
      (array['Marina', 'Palm', 'Creek', 'Garden', 'Harbour', 'Meadow', 'Lake', 'Sunset'])[1 + i % 8],
      (array['Heights', 'Gate', 'View', 'Residence', 'Tower', 'Court', 'Park'])[1 + i % 7],
      substr(md5(i::text), 1, 6)) as name
    from generate_series(1, ${LOCATIONS}) i) as made`;

beforeAll(async () => {
  open = await openDatabase();
  const { database } = open;
  // Built at the end: filling it row by row takes most of the time.
  const [index] = await database.query<{ make: string }>(
    `select indexdef as make from pg_indexes where indexname = 'locations_search'`,
  );
  await database.query(`drop index locations_search`);
  await database.query(INSERT);
  await database.query(index?.make ?? '');
  // Rows whose commit is not on disk yet do not count as visible to all, which plans rely on.
  await database.query(`checkpoint`);
  await database.query(`vacuum (analyze) locations`);
}, 60_000);
afterAll(() => open.close());

async function plansOf(query: object): Promise<Plan[]> {
  const plans: Plan[] = [];
  await readLocations(explaining(open.database, plans), { limit: 50, offset: 0, ...query });
  return plans;
}

test.each([
  ['the first page', {}, 150],
  ['a later page', { offset: 5000 }, 200],
  ['a level', { level: 'community' }, 200],
  ['an exact name', { term: 'palm heights f1c159' }, 200],
  ['a prefix', { term: 'palm heights f1' }, 200],
  ['a part', { term: 'heights f1c' }, 200],
  ['Arabic', { term: 'برج 7771' }, 200],
  ['nothing like it', { term: 'zzzzzzz' }, 50],
  ['a typing error', { term: 'palm hieghts' }, Infinity],
  ['two letters', { term: 'ma' }, Infinity],
])(
  '%s of 100,000 locations comes by an index and touches few pages',
  async (_what, query, most) => {
    const plans = await plansOf(query);
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.flatMap(({ steps }) => steps).join('\n')).not.toContain('Seq Scan');
    expect(plans.reduce((sum, { pages }) => sum + pages, 0)).toBeLessThan(most);
  },
);
