import { startTestApi } from '../../support/api.ts';
import { idsOf, unknownId, withCatalogue } from './catalogue.ts';

const api = await startTestApi();
await withCatalogue(api);
const ids = await idsOf(api, 'locations', 'key');
afterAll(() => api.stop());

const get = (path: string) => api.call('GET', path);
const paths = async (path: string) =>
  ((await get(path)).body.data as { path: string }[]).map((location) => location.path);

test('a location has name, level and path', async () => {
  const { body } = await get(`/public/locations/${ids.get('dubai/dubai-marina/marina-gate')}`);
  expect(body).toEqual({
    id: ids.get('dubai/dubai-marina/marina-gate'),
    name: 'Marina Gate',
    level: 'sub-community',
    path: 'Dubai > Dubai Marina > Marina Gate',
  });
});

test('without a term it pages the tree, each location before what lies in it', async () => {
  const all = await paths('/public/locations');
  expect(all).toEqual([
    'Abu Dhabi',
    'Abu Dhabi > Marina',
    'Abu Dhabi > Marina > الخالدية',
    'Dubai',
    'Dubai > 100% Plan_B',
    'Dubai > Café Quarter',
    'Dubai > Dubai Marina',
    'Dubai > Dubai Marina > Marina Gate',
    'Dubai > Jumeirah',
    'Dubai > Marina',
  ]);
  const pages = await Promise.all(
    [0, 4, 8].map((offset) => paths(`/public/locations/search?limit=4&offset=${offset}`)),
  );
  expect(pages.flat()).toEqual(all);
});

test.each([
  [
    'exact names first, then prefix, then by similarity',
    'search=marina',
    [
      'Abu Dhabi > Marina',
      'Dubai > Marina',
      'Dubai > Dubai Marina > Marina Gate',
      'Dubai > Dubai Marina',
    ],
  ],
  [
    'an Arabic name',
    `search=${encodeURIComponent('دبي مارينا')}&limit=1`,
    ['Dubai > Dubai Marina'],
  ],
  ['a part of an Arabic name', `search=${encodeURIComponent('مارينا')}`, ['Dubai > Dubai Marina']],
  ['Arabic without the hamza', `search=${encodeURIComponent('ابوظبي')}`, ['Abu Dhabi']],
  [
    'Arabic with another last letter',
    `search=${encodeURIComponent('القديمه')}`,
    ['Dubai > Café Quarter'],
  ],
  ['Arabic with vowel marks', `search=${encodeURIComponent('جُمَيرا')}`, ['Dubai > Jumeirah']],
  ['without accents', 'search=cafe%20quarter', ['Dubai > Café Quarter']],
  ['another spelling', 'search=jumeira', ['Dubai > Jumeirah']],
  ['a typing error', 'search=Dubai%20Marena&limit=1', ['Dubai > Dubai Marina']],
  [
    'a typing error in one word of two',
    'search=Marena',
    [
      'Abu Dhabi > Marina',
      'Dubai > Marina',
      'Dubai > Dubai Marina > Marina Gate',
      'Dubai > Dubai Marina',
    ],
  ],
  ['a wrong letter in a short word', 'search=dabai', ['Dubai', 'Dubai > Dubai Marina']],
  ['plain characters', 'search=100%25%20plan_b', ['Dubai > 100% Plan_B']],
  ['% is no wildcard', 'search=d%25i', []],
  ['a level', 'level=Emirate', ['Abu Dhabi', 'Dubai']],
  [
    'a level and a term',
    'level=sub-community&search=marina',
    ['Dubai > Dubai Marina > Marina Gate'],
  ],
  ['an alias', 'keyword=jumeirah', ['Dubai > Jumeirah']],
  ['two letters', 'q=ju', ['Dubai > Jumeirah']],
  ['two letters at the start of a second word', 'q=ga', ['Dubai > Dubai Marina > Marina Gate']],
])('%s: ?%s', async (_what, query, expected) => {
  expect(await paths(`/public/locations/search?${query}`)).toEqual(expected);
  expect(await paths(`/public/locations?${query}`)).toEqual(expected);
});

test.each(['page=1', 'limit=201', 'offset=x', 'sort=name', 'q=a&term=b'])(
  '?%s is 422',
  async (query) => {
    expect((await get(`/public/locations/search?${query}`)).status).toBe(422);
    expect((await get(`/public/locations?${query}`)).status).toBe(422);
  },
);

test.each([
  ['x', 400],
  [unknownId, 404],
])('location %s is %i', async (id, status) => {
  expect((await get(`/public/locations/${id}`)).status).toBe(status);
});

test('a disabled location is as if it were not there', async () => {
  expect((await get(`/public/locations/${ids.get('abu-dhabi/closed')}`)).status).toBe(404);
});

test('no record comes on two pages of a search', async () => {
  const pages = await Promise.all(
    [0, 1, 2, 3].map((offset) =>
      get(`/public/locations/search?search=marina&limit=1&offset=${offset}`),
    ),
  );
  const found = pages.map(({ body }) => body.data[0].id as string);
  expect(new Set(found).size).toBe(4);
  expect(pages.map(({ body }) => body.meta.total as number)).toEqual([4, 4, 4, 4]);
});
