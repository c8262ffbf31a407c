import { imported } from '../../store/catalogue/open.ts';
import { startTestApi } from '../../support/api.ts';
import { idsOf, unknownId, withCatalogue } from './catalogue.ts';

const api = await startTestApi();
await withCatalogue(api);
const tables = [
  ['projects', 'slug'],
  ['developers', 'slug'],
  ['locations', 'key'],
  ['list_entries', 'name'],
] as const;
const all = await Promise.all(tables.map(([table, key]) => idsOf(api, table, key)));
const ids = new Map(all.flatMap((each) => [...each]));
afterAll(() => api.stop());

const get = (path: string) => api.call('GET', path);
/** `{key}` stands for the id of the record with that key. */
const filled = (query: string) =>
  query.replace(/\{([^}]+)\}/g, (_match, key: string) => ids.get(key) ?? key);
const slugs = async (query: string) => {
  const { status, body } = await get(`/public/projects${filled(query)}`);
  expect([status, body.errors]).toEqual([200, undefined]);
  return (body.data as { slug: string }[]).map(({ slug }) => slug);
};
const ALL = ['creek-edge', 'gate-tower', 'old-villa', 'far-side'];

test('the compact record', async () => {
  const { body } = await get(`/public/projects/${ids.get('creek-edge')}`);
  expect(body).toEqual({
    id: ids.get('creek-edge'),
    title: 'creek edge',
    slug: 'creek-edge',
    campaignType: 'Launch',
    propertyTypes: ['Apartment', 'Villa'],
    startingPrice: '1450000',
    deliveryDate: '2028-06-30T00:00:00.000Z',
    brochure: true,
    paymentPlans: ['60/40'],
    developer: { id: ids.get('emaar'), name: 'Emaar Properties', slug: 'emaar', logoUrl: null },
    location: { id: ids.get('dubai/jumeirah'), name: 'Jumeirah', path: 'Dubai > Jumeirah' },
    image: { url: 'https://images.example/1.jpg', alt: 'Front' },
    status: { id: ids.get('Off Plan'), name: 'Off Plan', color: '#1E88E5' },
  });
});

test('the full record', async () => {
  const [compact, full, listed] = await Promise.all([
    get(`/public/projects/${ids.get('creek-edge')}?simplified=true`),
    get(`/public/projects/${ids.get('creek-edge')}?simplified=false`),
    get('/public/projects?simplified=false&limit=1'),
  ]);
  expect(full.body).toEqual({
    ...compact.body,
    description: 'By the water',
    ownershipType: 'Freehold',
    stockAvailability: 'Available',
    latitude: 25.2,
    longitude: 55.3,
    amenities: ['Pool'],
    bedrooms: ['1'],
    images: [{ url: 'https://images.example/1.jpg', alt: 'Front' }],
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });
  expect(listed.body.data[0]).toEqual(full.body);
});

test('a project of which little is known', async () => {
  const { body } = await get(`/public/projects/${ids.get('far-side')}`);
  expect(body).toMatchObject({
    title: null,
    developer: null,
    startingPrice: null,
    deliveryDate: null,
    brochure: false,
    propertyTypes: [],
    paymentPlans: [],
    image: { url: null, alt: null },
    campaignType: null,
  });
});

test.each([
  ['all, by title', '', ALL],
  ['free text', '?q=creek', ['creek-edge']],
  ['free text in the description', '?q=water', ['creek-edge']],
  ['a typing error', '?q=creak%20edge', ['creek-edge']],
  ['the developer’s name', '?q=nakheel', ['gate-tower']],
  ['the location’s name', '?q=jumeirah', ['creek-edge']],
  ['the location’s Arabic name', `?q=${encodeURIComponent('جُميرا')}`, ['creek-edge']],
  ['a location with an Arabic name only', `?q=${encodeURIComponent('خالدية')}`, ['old-villa']],
  ['a developer', '?developerIds={emaar}', ['creek-edge']],
  ['the alias', '?developerId={emaar}', ['creek-edge']],
  ['several developers', '?developerIds={emaar},%20{nakheel},', ['creek-edge', 'gate-tower']],
  [
    'a location with what lies under it',
    '?locationIds={dubai}',
    ['creek-edge', 'gate-tower', 'far-side'],
  ],
  ['a location between', '?locationId={dubai/dubai-marina}', ['gate-tower', 'far-side']],
  ['a status', '?statusIds={Ready}', ['old-villa']],
  ['a status by alias', '?statusId={Ready}', ['old-villa']],
  ['a property type', '?propertyTypes={Villa}', ['creek-edge', 'old-villa']],
  [
    'a property type by alias',
    '?propertyType={Apartment},{Villa}',
    ['creek-edge', 'gate-tower', 'old-villa'],
  ],
  ['a price from', '?minPrice=900000.50', ['creek-edge', 'gate-tower']],
  ['a price up to', '?maxPrice=900001', ['gate-tower']],
  ['handover from', '?deliveryFrom=2028-06-30', ['creek-edge']],
  ['handover until', '?deliveryTo=2027-01-01', ['gate-tower']],
  [
    'handover with a time',
    '?deliveryFrom=2027-01-01T00:00:00Z&deliveryTo=2027-12-31T23:59:59%2B04:00',
    ['gate-tower'],
  ],
  ['ownership', '?ownershipType=freehold', ['creek-edge']],
  ['campaign type', '?campaignType=launch', ['creek-edge']],
  ['stock', '?stockAvailability=Available', ['creek-edge']],
  ['blank filters', '?developerIds=&q=&ownershipType=', ALL],
  ['blank bounds', '?minPrice=&maxPrice=%20&deliveryFrom=&deliveryTo=%20', ALL],
  [
    'a value with a comma of its own',
    '?stockAvailability=sold%20out,%20waiting%20list',
    ['gate-tower'],
  ],
  ['nobody', `?developerIds=${unknownId}`, []],
  [
    'all of them together',
    '?q=creek&developerIds={emaar}&locationIds={dubai}&statusIds={Off%20Plan}&propertyTypes={Villa}&minPrice=1&maxPrice=9999999&deliveryFrom=2028-01-01&deliveryTo=2029-01-01&ownershipType=Freehold&campaignType=Launch&stockAvailability=Available',
    ['creek-edge'],
  ],
  ['sort', '?sort=startingPrice', ['gate-tower', 'creek-edge', 'old-villa', 'far-side']],
  [
    'sort the other way, unknown still last',
    '?sort=startingPrice&order=desc',
    ['creek-edge', 'gate-tower', 'old-villa', 'far-side'],
  ],
  ['sort by two', '?sort=status:desc,-slug', ['old-villa', 'gate-tower', 'far-side', 'creek-edge']],
  ['offset wins over page', '?limit=2&page=2&offset=1', ['gate-tower', 'old-villa']],
])('%s: %s', async (_what, query, expected) => {
  expect(await slugs(query.replace('{Off%20Plan}', ids.get('Off Plan') ?? ''))).toEqual(expected);
});

test.each([
  ['', { page: 1, limit: 20, total: 4, totalPages: 1 }],
  ['?limit=3&page=2', { page: 2, limit: 3, total: 4, totalPages: 2 }],
  ['?limit=3&page=9', { page: 9, limit: 3, total: 4, totalPages: 2 }],
  ['?limit=2&offset=2', { page: 2, limit: 2, total: 4, totalPages: 2 }],
  [`?limit=${'9'.repeat(20)}`, { page: 1, limit: 100, total: 4, totalPages: 1 }],
  [`?page=${'9'.repeat(20)}`, { page: 1_000_000, limit: 20, total: 4, totalPages: 1 }],
])('the envelope of %s', async (query, meta) => {
  expect((await get(`/public/projects${query}`)).body.meta).toEqual(meta);
});

test.each([
  ['limit=0', 'limit: must be at least 1'],
  ['limit=101', undefined],
  ['page=0', 'page: must be at least 1'],
  ['developerIds=emaar', 'developerIds[0]: must be a uuid'],
  [`statusId=${unknownId}&statusIds=`, undefined],
  [
    `developerId=${unknownId}&developerIds=11111111-1111-4111-8111-111111111111`,
    'developerId: contradicts developerIds',
  ],
  ['minPrice=cheap', 'minPrice: must be an amount such as 1450000'],
  ['minPrice=-1', 'minPrice: must be an amount such as 1450000'],
  ['deliveryFrom=soon', 'deliveryFrom: must be a date such as 2028-06-30'],
  ['deliveryTo=2028-02-31', 'deliveryTo: must be a date such as 2028-06-30'],
  ['simplified=1', 'simplified: must be true or false'],
  ['search=x', 'search: is not known'],
])('?%s', async (query, error) => {
  const { status, body } = await get(`/public/projects?${query}`);
  expect([status, body.errors?.[0]]).toEqual(error ? [422, error] : [200, undefined]);
});

test.each([
  [unknownId, 404],
  ['{hidden}', 404],
  ['{creek-edge}?page=1', 422],
])('project %s is %i', async (path, status) => {
  expect((await get(`/public/projects/${filled(path)}`)).status).toBe(status);
});

const box = (north: unknown, south: unknown, east: unknown, west: unknown) =>
  `/map?north=${north}&south=${south}&east=${east}&west=${west}`;

test.each([
  ['a viewport', box(26, 25, 56, 55), ['creek-edge', 'gate-tower']],
  ['its edges included', box(25.2, 25.2, 55.3, 55.3), ['creek-edge']],
  ['the whole globe', box(90, -90, 180, -180), ALL],
  ['over the date line', box(0, -30, -179, 179), ['old-villa', 'far-side']],
  ['over the date line, counted on', box(0, -30, 181, 179), ['old-villa', 'far-side']],
  ['once round from Greenwich', box(90, -90, 360, 0), ALL],
  ['more than once round', box(90, -90, 400, -100), ALL],
  ['upside down', box(25, 26, 56, 55), []],
  ['with a filter', `${box(26, 25, 56, 55)}&developerId={emaar}`, ['creek-edge']],
  ['with free text', `${box(26, 25, 56, 55)}&q=tower`, ['gate-tower']],
  ['no number', box('abc', 25, 56, 55), []],
  ['blank', box('', 25, 56, 55), []],
  ['infinite', box('Infinity', 25, 56, 55), []],
  ['a bound missing', '/map?north=26&south=25&east=56', []],
])('pins: %s', async (_what, query, expected) => {
  expect(await slugs(query)).toEqual(expected);
});

test('a pin', async () => {
  const { body } = await get(`/public/projects${box(25.2, 25.2, 55.3, 55.3)}`);
  expect(body).toEqual({
    data: [
      {
        id: ids.get('creek-edge'),
        title: 'creek edge',
        slug: 'creek-edge',
        latitude: 25.2,
        longitude: 55.3,
        startingPrice: '1450000',
        status: { id: ids.get('Off Plan'), name: 'Off Plan', color: '#1E88E5' },
      },
    ],
  });
});

test('the filters are all look-up lists, with what is disabled left out', async () => {
  const { body } = await get('/public/projects/filters');
  expect(body.filters.developer.values.map(({ name }: { name: string }) => name)).toEqual([
    'DAMAC Properties',
    'Emaar',
    'Emaar Properties',
    'Méraas',
    'Nakheel',
  ]);
  expect(body.filters.location.values[1]).toEqual({
    id: ids.get('abu-dhabi/marina'),
    name: 'Marina',
    fullName: 'Abu Dhabi > Marina',
  });
  expect(body.filters).toMatchObject({
    developer: { displayName: 'Developer' },
    location: { displayName: 'Location' },
    propertyType: {
      displayName: 'Property type',
      values: [{ id: ids.get('Apartment'), name: 'Apartment' }, { name: 'Villa' }],
    },
    status: {
      displayName: 'Status',
      values: [
        { id: ids.get('Off Plan'), name: 'Off Plan', color: '#1E88E5' },
        { name: 'Ready', color: null },
      ],
    },
  });
});

test('the statuses are a bare array', async () => {
  const { body } = await get('/public/project-statuses');
  expect(body).toEqual([
    { id: ids.get('Off Plan'), name: 'Off Plan', color: '#1E88E5' },
    { id: ids.get('Ready'), name: 'Ready', color: null },
  ]);
});

test('what is disabled is in no list of the filters', async () => {
  await imported(api.database, {
    propertyTypes: [{ name: 'Barn', enabled: false }],
    projectStatuses: [{ name: 'Withdrawn', enabled: false }],
  });
  const { filters } = (await get('/public/projects/filters')).body;
  for (const { values } of Object.values<{ values: { name: string }[] }>(filters))
    expect(values.map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/Barn|Withd/));
});
