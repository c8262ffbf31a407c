import { createCatalogue } from '../../../store/catalogue/search.ts';
import { readLocations } from '../../../store/catalogue/developers-and-locations.ts';
import { imported, openDatabase } from '../../store/catalogue/open.ts';
import { startTestApi } from '../../support/api.ts';
import { withCatalogue } from './catalogue.ts';

const api = await startTestApi();
await withCatalogue(api);
afterAll(() => api.stop());

/** The statements that compare names with a term, of what `work` does. */
async function comparisonsOf(work: () => Promise<unknown>): Promise<number> {
  let comparisons = 0;
  const stop = api.catalogue.onStatement((text) => {
    if (text.includes(' <-> ')) comparisons += 1;
  });
  await work();
  stop();
  return comparisons;
}

const namesOf = async (path: string) =>
  ((await api.call('GET', path)).body.data as { name: string }[]).map(({ name }) => name);

test.each([
  ['/public/locations/search?q=jumiera', ['Jumeirah']],
  ['/public/developers/search?q=nakhiel', ['Nakheel']],
])('a misspelt search is compared once, however often it is sent: %s', async (path, found) => {
  const comparisons = await comparisonsOf(async () => {
    const pages = await Promise.all([1, 2, 3].map(() => namesOf(path)));
    expect([...pages, await namesOf(path)]).toEqual([found, found, found, found]);
  });
  expect(comparisons).toBe(1);
});

test('another page, level or term is compared by itself', async () => {
  const paths = ['q=mraina', 'q=mraina&offset=1', 'q=mraina&level=emirate', 'q=mrania'];
  const comparisons = await comparisonsOf(async () => {
    for (const query of paths) await namesOf(`/public/locations?${query}`);
  });
  // A page that is empty is asked for its total, too.
  expect(comparisons).toBeGreaterThanOrEqual(paths.length);
});

test('a misspelt search finds what was imported since it was sent before', async () => {
  const path = '/public/locations/search?q=zabeeell';
  expect(await namesOf(path)).toEqual([]);
  await imported(api.database, {
    locations: [{ key: 'zabeel', name: 'Zabeel', level: 'community' }],
  });
  expect(await namesOf(path)).toEqual(['Zabeel']);
});

test('a correct term is compared with no similar name', async () => {
  expect(await comparisonsOf(() => namesOf('/public/locations?q=marina'))).toBe(0);
});

test('searches for similar names run one at a time, and too many that wait are refused', async () => {
  const { promise: finished, resolve: finish } = Promise.withResolvers<undefined>();
  const begun: number[] = [];
  const searches = Array.from({ length: 201 }, (_, index) =>
    api.catalogue.searchOnce(`search ${index}`, async () => {
      begun.push(index);
      await finished;
    }),
  );
  expect(begun).toEqual([0]);
  const refused = await api.call('GET', '/public/locations?q=jumeirrah');
  expect([refused.status, refused.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await api.call('GET', '/public/locations?q=jumeirah')).status).toBe(200);
  finish(undefined);
  await Promise.all(searches);
  expect(begun).toHaveLength(201);
  expect(await namesOf('/public/locations?q=jumeirrah')).toEqual(['Jumeirah']);
});

const ALL_RANKED = `
  select name from locations where word_similarity($1, search_name) >= $2::float4
  order by similarity(search_name, $1) + word_similarity($1, search_name) desc, path, id`;

test.each(['meadwo', 'palm hieghts', 'curt', 'lake twoer 7', 'gardne veiw', 'heigths 3'])(
  'among 500 names every one that is similar to %s is found, the most similar first',
  async (term) => {
    const { database, close } = await openDatabase();
    await database.query(
      `insert into locations (id, key, name, level, path)
       select gen_random_uuid(), i::text, name, 'building', name from (select i, concat_ws(' ',
           (array['Marina', 'Palm', 'Creek', 'Garden', 'Meadow', 'Lake'])[1 + i % 6],
           (array['Heights', 'Gate', 'View', 'Tower', 'Court'])[1 + i % 5], i) as name
         from generate_series(1, 500) i) made`,
    );
    const ranked = async (least: number) =>
      (await database.query<{ name: string }>(ALL_RANKED, [term, least])).map(({ name }) => name);
    const [similar, less] = [await ranked(0.5), await ranked(0.3)];
    const expected = similar.length > 0 ? similar : less;
    const { rows, total } = await readLocations(createCatalogue(database), {
      term,
      limit: 200,
      offset: 0,
    });
    expect(rows.map(({ name }) => name)).toEqual(expected.slice(0, 200));
    expect(total).toBe(expected.length);
    expect(total).toBeGreaterThan(0);
    await close();
  },
);
