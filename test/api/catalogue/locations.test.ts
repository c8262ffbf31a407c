import { startTestApi } from '../../support/api.ts';
import { idsOf, withCatalogue } from './catalogue.ts';

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
  ['a part of an Arabic name', `search=${encodeURIComponent('مارينا')}`, ['Dubai > Dubai Marina']],
  ['Arabic without the hamza', `search=${encodeURIComponent('ابوظبي')}`, ['Abu Dhabi']],
  [
    'Arabic with another last letter',
    `search=${encodeURIComponent('القديمه')}`,
    ['Dubai > Café Quarter'],
  ],
  ['Arabic with vowel marks', `search=${encodeURIComponent('جُمَيرا')}`, ['Dubai > Jumeirah']],
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
  ['a level', 'level=Emirate', ['Abu Dhabi', 'Dubai']],
  ['a level and a term', 'level=emirate&search=dubai', ['Dubai']],
])('%s: ?%s', async (_what, query, expected) => {
  expect(await paths(`/public/locations/search?${query}`)).toEqual(expected);
  expect(await paths(`/public/locations?${query}`)).toEqual(expected);
});

test('a disabled location is as if it were not there', async () => {
  expect((await get(`/public/locations/${ids.get('abu-dhabi/closed')}`)).status).toBe(404);
});
