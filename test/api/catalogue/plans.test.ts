import { createHash } from 'node:crypto';
import {
  readDevelopers,
  readLocations,
} from '../../../store/catalogue/developers-and-locations.ts';
import { readPins, readProjects } from '../../../store/catalogue/read-projects.ts';
import { createCatalogue, type Catalogue } from '../../../store/catalogue/search.ts';
import { openDatabase } from '../../store/catalogue/open.ts';
import { explaining, type Plan } from '../../support/explaining.ts';

const LOCATIONS = 50_000;
const PROJECTS = 10_000;
const DEVELOPERS = 2_000;

/** Names such as `Palm Heights f1c159`; all Arabic names begin alike. */
const INSERT_LOCATIONS = `
  insert into locations (id, key, name, name_ar, level, path)
  select gen_random_uuid(), i::text, name, 'برج ' || i,
    case when i % 1000 = 0 then 'community' else 'building' end, name
  from (select i, concat_ws(' ',
      (array['Marina', 'Palm', 'Creek', 'Garden', 'Harbour', 'Meadow', 'Lake', 'Sunset'])[1 + i % 8],
      (array['Heights', 'Gate', 'View', 'Residence', 'Tower', 'Court', 'Park'])[1 + i % 7],
      substr(md5(i::text), 1, 6)) as name
    from generate_series(1, ${LOCATIONS}) i) as made`;

const id = (kind: string, number: string) => `md5('${kind}' || ${number})::uuid`;

const INSERT_DEVELOPERS = `
  insert into developers (id, slug, name)
  select ${id('developer', 'i')}, 'builder-' || i, 'Builder ' || i from generate_series(1, ${DEVELOPERS}) i`;

const INSERT_PROJECTS = `
  insert into projects (id, slug, title, description, developer_id, location_id, status_id, starting_price, latitude, longitude)
  select ${id('project', 'i')}, 'project-' || i, 'Terraces ' || substr(md5(i::text), 1, 6),
    repeat('Homes by the water. ', 20),
    ${id('developer', `(1 + i % ${DEVELOPERS})`)}, place, status, 500000 + i, 25 + i / 1e5, 55 + i / 1e5
  from generate_series(1, ${PROJECTS}) i,
    lateral (select id as place from locations where key = (5 * i)::text) l,
    (select id as status from list_entries limit 1) s`;

const open = await openDatabase('adminUrl');
const { database } = open;
// Built at the end: filling it row by row takes most of the time.
const [index] = await database.query<{ make: string }>(
  `select indexdef as make from pg_indexes where indexname = 'locations_search'`,
);
await database.query(`drop index locations_search`);
await database.query(INSERT_LOCATIONS);
await database.query(index?.make ?? '');
await database.query(`create index making on locations (key)`);
await database.query(INSERT_DEVELOPERS);
await database.query(INSERT_PROJECTS);
await database.query(`drop index making`);
// Rows whose commit is not on disk yet do not count as visible to all, which plans rely on. The commit
// of one analysis holds up those just before it, so each table has a checkpoint of its own.
for (const table of ['locations', 'developers', 'projects']) {
  await database.query(`checkpoint`);
  await database.query(`vacuum (analyze) ${table}`);
}
afterAll(() => open.close());

type Read = (database: Catalogue) => Promise<unknown>;

async function plansOf(read: Read): Promise<Plan[]> {
  const plans: Plan[] = [];
  await read(createCatalogue(explaining(open.database, plans)));
  expect(plans.length).toBeGreaterThan(0);
  return plans;
}

const pagesOf = (plans: readonly Plan[]) => plans.reduce((sum, { pages }) => sum + pages, 0);
const stepsOf = (plans: readonly Plan[]) => plans.flatMap(({ steps }) => steps).join('\n');

test.each([
  ['the first page', {}, 150],
  ['a later page', { offset: 5000 }, 200],
  ['a level', { level: 'community' }, 200],
  ['an exact name', { term: 'palm heights f1c159' }, 200],
  ['a prefix', { term: 'palm heights f1' }, 200],
  ['a part', { term: 'heights f1c' }, 200],
  ['Arabic', { term: 'برج 7771' }, 200],
  // The 500 nearest names lie on as many pages; each is compared with the term.
  ['nothing like it', { term: 'zzzzzzz' }, 2500],
  ['a typing error in two words', { term: 'palm hieghts' }, 2500],
  ['a typing error in a word of many names', { term: 'hieghts' }, 2500],
  ['a typing error in Arabic', { term: 'برح 7771' }, 4000],
  ['two letters', { term: 'ma' }, Infinity],
])('%s of 50,000 locations comes by an index and touches few pages', async (_what, query, most) => {
  const plans = await plansOf((database) =>
    readLocations(database, { limit: 50, offset: 0, ...query }),
  );
  expect(stepsOf(plans)).not.toContain('Seq Scan');
  expect(pagesOf(plans)).toBeLessThan(most);
});

const page = { limit: 20, offset: 0, sort: [], isSimplified: true };
const byTitle = { name: 'title', isDescending: false } as const;
const developerOf = (project: number) =>
  createHash('md5').update(`developer${project}`).digest('hex');

test.each<[string, number, Read]>([
  ['the first page by title', 500, (sql) => readProjects(sql, { ...page, sort: [byTitle] })],
  ['a developer', 200, (sql) => readProjects(sql, { ...page, developerIds: [developerOf(7)] })],
  ['an exact title', 500, (sql) => readProjects(sql, { ...page, term: 'terraces 8f14e4' })],
  ['a part of a title', 500, (sql) => readProjects(sql, { ...page, term: 'races 8f14e' })],
  ['a typing error', 1500, (sql) => readProjects(sql, { ...page, term: 'teracces 8f14' })],
  ['an Arabic place', 500, (sql) => readProjects(sql, { ...page, term: 'برج 7775' })],
  [
    'a box on the map',
    500,
    (sql) => readPins(sql, { box: { north: 25.001, south: 25, west: 55, east: 55.001 } }),
  ],
])('%s of 10,000 projects comes by an index and touches few pages', async (_what, most, read) => {
  const plans = await plansOf(read);
  expect(stepsOf(plans)).not.toMatch(/Seq Scan on (projects|locations)/);
  expect(pagesOf(plans)).toBeLessThan(most);
});

const developers = { limit: 50, offset: 0, sort: [], popular: undefined };
const idOf = (developer: number) => developerOf(developer).slice(0, 8);

test.each<[string, number, Read]>([
  ['the first page by name', 150, (sql) => readDevelopers(sql, developers)],
  ['an exact name', 150, (sql) => readDevelopers(sql, { ...developers, term: 'builder 1999' })],
  ['a part of a name', 150, (sql) => readDevelopers(sql, { ...developers, term: 'ilder 199' })],
  ['a part of an id', 150, (sql) => readDevelopers(sql, { ...developers, term: idOf(1) })],
  ['a typing error', 1500, (sql) => readDevelopers(sql, { ...developers, term: 'biulder 199' })],
])('%s of 2,000 developers comes by an index and touches few pages', async (_what, most, read) => {
  const plans = await plansOf(read);
  expect(stepsOf(plans)).not.toContain('Seq Scan');
  expect(pagesOf(plans)).toBeLessThan(most);
});
