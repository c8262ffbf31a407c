import { imported } from '../../store/catalogue/open.ts';
import { startTestApi } from '../../support/api.ts';

/** In another order than that of the ids. */
const WRITTEN = [4, 1, 5, 3, 2];
const idOf = (number: number, kind: number) => `0000000${number}-0000-4000-8000-00000000000${kind}`;

const api = await startTestApi();
const twins = (kind: number) => WRITTEN.map((number) => ({ id: idOf(number, kind), number }));
await imported(api.database, {
  developers: twins(1).map(({ id, number }) => ({ id, slug: `twin-${number}`, name: 'Twin' })),
  locations: twins(2).map(({ id, number }) => ({
    id,
    key: `twin-${number}`,
    name: 'Twin',
    level: 'emirate',
  })),
  projectStatuses: [{ name: 'Ready' }],
  projects: twins(3).map(({ id, number }) => ({
    id,
    slug: `twin-${number}`,
    title: 'Twin',
    status: 'Ready',
    startingPrice: '1000000',
    location: `twin-${number}`,
  })),
});
afterAll(() => api.stop());

test.each([
  '/public/developers?sort=popular:desc',
  '/public/developers/search?search=twin',
  '/public/developers/search?search=twiin&sort=-popular',
  '/public/locations/search?search=twin',
  '/public/locations/search?search=twiin',
  '/public/projects?sort=startingPrice:desc,status',
  '/public/projects?q=twin&sort=deliveryDate',
])('namesakes come by their id, each on one page of %s', async (path) => {
  const seen: number[] = [];
  for (const offset of WRITTEN.keys()) {
    const { body } = await api.call('GET', `${path}&limit=1&offset=${offset}`);
    seen.push(...body.data.map(({ id }: { id: string }) => Number(id.slice(0, 8))));
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});
