import { startTestApi } from '../../support/api.ts';
import { idsOf, withCatalogue } from './catalogue.ts';

const api = await startTestApi();
await withCatalogue(api);
const ids = await idsOf(api, 'developers', 'slug');
afterAll(() => api.stop());

const get = (path: string) => api.call('GET', path);
const names = async (path: string) =>
  ((await get(path)).body.data as { name: string }[]).map(({ name }) => name);

test('a developer has every field of its record', async () => {
  const { status, body } = await get(`/public/developers/${ids.get('emaar')}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: ids.get('emaar'),
    name: 'Emaar Properties',
    slug: 'emaar',
    logoUrl: null,
    imageUrl: null,
    description: 'Built the tallest tower',
    enabled: true,
    popular: true,
    contactId: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });
});

test('the list holds enabled developers by name, with the page that was applied', async () => {
  const { body } = await get('/public/developers');
  expect(body.meta).toEqual({ limit: 50, offset: 0, total: 5 });
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual([
    'DAMAC Properties',
    'Emaar',
    'Emaar Properties',
    'Méraas',
    'Nakheel',
  ]);
});

test.each([
  ['exact name first, then prefix', 'search=emaar', ['Emaar', 'Emaar Properties']],
  ['without regard to case and accents', 'search=MERAAS', ['Méraas']],
  ['with accents that the name has not', 'search=d%C3%A0m%C3%A0c', ['DAMAC Properties']],
  ['by slug', 'search=meraas-x', ['Méraas']],
  ['by description', 'search=tallest', ['Emaar Properties']],
  ['by a part of a word', 'search=akhe', ['Nakheel']],
  ['with a letter wrong', 'search=nakhiel', ['Nakheel']],
  ['by one letter, at the start of words', 'search=n', ['Nakheel']],
  ['by two letters, at the start of a word of its slug', 'search=so', ['Emaar']],
  ['by the first group of its id', 'search=22222222', ['Nakheel']],
  ['with % as a plain character', 'search=50%25', ['Méraas']],
  ['a % by itself', 'search=%25', ['Méraas']],
  ['% alone is no wildcard', 'search=%25%25%25', []],
  ['with _ as a plain character', 'search=off_plan', ['Méraas']],
  ['a backslash is a plain character', 'search=%5C%5C%5C', []],
  ['an alias', 'q=nakheel', ['Nakheel']],
  ['an alias', 'keyword=nakheel', ['Nakheel']],
  ['two aliases that agree', 'q=nakheel&search=nakheel', ['Nakheel']],
  ['spaces around it', 'search=%20nakheel%20', ['Nakheel']],
  ['a NUL in it', 'search=nak%00heel', ['Nakheel']],
  ['popular ones', 'popular=true', ['Emaar Properties', 'Nakheel']],
  ['the others', 'popular=false', ['DAMAC Properties', 'Emaar', 'Méraas']],
  ['a blank term', 'search=&limit=1', ['DAMAC Properties']],
  ['sort', 'sort=-name&limit=2', ['Nakheel', 'Méraas']],
  [
    'sort with a direction of its own',
    'sort=popular:desc,name:asc&limit=3',
    ['Emaar Properties', 'Nakheel', 'DAMAC Properties'],
  ],
  ['a direction for all', 'sort=name&order=desc&limit=1', ['Nakheel']],
  ['a direction alone', 'order=desc&limit=1', ['Nakheel']],
  [
    'an own direction beats the common one',
    'sort=name:asc&order=desc&limit=1',
    ['DAMAC Properties'],
  ],
  [
    'an exact name first, whatever the sort',
    'search=emaar&sort=-name',
    ['Emaar', 'Emaar Properties'],
  ],
  ['a page', 'limit=2&offset=2', ['Emaar Properties', 'Méraas']],
])('%s: ?%s', async (_what, query, expected) => {
  expect(await names(`/public/developers/search?${query}`)).toEqual(expected);
  expect(await names(`/public/developers?${query}`)).toEqual(expected);
});

test.each([
  ['sort=size:desc,name:sideways,-slug,size,-size,,%20', ['size', 'name:sideways']],
  ['sort=-height,name,no%20key:DESC', ['height', 'no key']],
  ['sort=Name,-slug', undefined],
  ['', undefined],
])(
  'meta.ignored of ?%s has each unknown key of sort once, without its direction: %j',
  async (query, ignored) => {
    for (const path of ['/public/developers', '/public/developers/search', '/public/projects']) {
      const known = path.endsWith('projects') ? query.replace(/name(?=,)|slug/gi, 'title') : query;
      const { meta } = (await get(`${path}?${known}`)).body;
      expect(meta.ignored).toEqual(ignored);
      expect('ignored' in meta).toBe(ignored !== undefined);
    }
  },
);

test('a developer is found by its id', async () => {
  expect(await names(`/public/developers/search?search=${ids.get('nakheel')}`)).toEqual([
    'Nakheel',
  ]);
});

test('the total is that of all pages, on every page', async () => {
  for (const query of [
    'search=emaar&limit=1',
    'search=emaar&limit=1&offset=1',
    'search=emaar&offset=9',
  ])
    expect((await get(`/public/developers/search?${query}`)).body.meta.total).toBe(2);
  for (const query of ['limit=1', 'limit=2&offset=4', 'offset=77', 'limit=5'])
    expect((await get(`/public/developers?${query}`)).body.meta.total).toBe(5);
});

test.each([
  ['page=1', 'page: is not known'],
  ['limit=0', 'limit: must be between 1 and 200'],
  ['limit=201', 'limit: must be between 1 and 200'],
  ['limit=1.5', 'limit: must be a whole number'],
  ['offset=-1', 'offset: must be at least 0'],
  ['popular=yes', 'popular: must be true or false'],
  ['order=up', 'order: must be asc or desc'],
  ['q=a&search=b', 'q: contradicts search'],
  ['search=a&search=b', 'search: is given more than once'],
])('?%s is 422', async (query, error) => {
  for (const path of ['/public/developers', '/public/developers/search']) {
    const { status, body } = await get(`${path}?${query}`);
    expect({ status, code: body.code, errors: body.errors }).toEqual({
      status: 422,
      code: 'VALIDATION_ERROR',
      errors: [error],
    });
  }
});

test('every parameter that is wrong has its text', async () => {
  const { body } = await get('/public/developers?limit=0&q=a&search=b&foo=1');
  expect(body.errors).toEqual([
    'limit: must be between 1 and 200',
    'foo: is not known',
    'q: contradicts search',
  ]);
});

test('200 records on a page are allowed', async () => {
  expect((await get('/public/developers?limit=200')).body.meta.limit).toBe(200);
  expect((await get(`/public/developers?offset=${'9'.repeat(20)}`)).body.data).toEqual([]);
});

test('a disabled developer is as if it were not there', async () => {
  expect((await get(`/public/developers/${ids.get('gone')}`)).status).toBe(404);
  expect((await get(`/public/developers/${ids.get('emaar')}?page=1`)).status).toBe(422);
});
