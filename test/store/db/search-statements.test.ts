import {
  developerSortKeys,
  readDevelopers,
  readLocations,
} from '../../../store/catalogue/developers-and-locations.ts';
import { projectSortKeys, readPins, readProjects } from '../../../store/catalogue/read-projects.ts';
import { createCatalogue } from '../../../store/catalogue/search.ts';
import { openDatabase } from '../catalogue/open.ts';

const open = await openDatabase();
const catalogue = createCatalogue(open.database);
afterAll(() => open.close());

/** A term that is found nowhere is looked for with typing errors allowed, too. */
const TERMS = [undefined, 'tower', 'برج', 'a'];
const ids = ['00000000-0000-4000-8000-000000000001'];
const page = { limit: 1, offset: 1 };
const filters = {
  developerIds: ids,
  locationIds: ids,
  statusIds: ids,
  propertyTypes: ids,
  minPrice: '1',
  maxPrice: '2',
  deliveryFrom: '2026-01-01',
  deliveryTo: '2026-12-31',
  ownershipType: ['freehold'],
  campaignType: ['sale'],
  stockAvailability: ['available'],
};
const BOXES = [
  { north: 1, south: 0, west: 0, east: 1 },
  { north: 1, south: 0, west: 170, east: -170 },
  { north: 1, south: 0, west: -180, east: 180 },
];
const sortBy = <Name extends string>(names: readonly Name[]) =>
  [true, false].map((isDescending) => names.map((name) => ({ name, isDescending })));

describe.each(TERMS)('With the term %s and every filter', (term) => {
  test('Postgres takes the search for locations', async () => {
    const found = await readLocations(catalogue, { ...page, term, level: 'community' });
    expect(found).toEqual({ rows: [], total: 0 });
  });

  test.each(sortBy(developerSortKeys))(
    'Postgres takes the search for developers',
    async (...sort) => {
      const found = await readDevelopers(catalogue, { ...page, term, popular: true, sort });
      expect(found).toEqual({ rows: [], total: 0 });
    },
  );

  test.each(sortBy(projectSortKeys))('Postgres takes the search for projects', async (...sort) => {
    for (const isSimplified of [true, false]) {
      const query = { ...page, ...filters, term, isSimplified, sort };
      expect(await readProjects(catalogue, query)).toEqual({ rows: [], total: 0 });
    }
  });

  test.each(BOXES)('Postgres takes the search for pins', async (box) => {
    expect(await readPins(catalogue, { ...filters, term, box })).toEqual([]);
  });
});
