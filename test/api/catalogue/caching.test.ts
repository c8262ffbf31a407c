import { imported } from '../../store/catalogue/open.ts';
import { startTestApi } from '../../support/api.ts';
import { idsOf, withCatalogue } from './catalogue.ts';

const api = await startTestApi();
await withCatalogue(api);
const other = await startTestApi({ databaseUrl: api.config.database.url });
const id = (await idsOf(api, 'locations', 'key')).get('dubai') ?? '';
afterAll(async () => {
  await other.stop();
  await api.stop();
});

const READS = [
  '/public/developers',
  '/public/developers/search?search=emaar',
  '/public/locations',
  '/public/locations/search?search=marina',
  '/public/projects',
  '/public/projects/filters',
  '/public/projects/map?north=90&south=-90&east=180&west=-180',
  '/public/project-statuses',
];

test.each(READS)('%s may be cached for a day and is revalidated by its ETag', async (path) => {
  const first = await api.call('GET', path);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('private, max-age=86400');
  const etag = first.headers.get('etag') ?? '';
  const again = await api.call('GET', path, { headers: { 'if-none-match': etag } });
  expect([again.status, again.body]).toEqual([304, null]);
  const changed = await api.call('GET', path, { headers: { 'if-none-match': '"other"' } });
  expect([changed.status, changed.body]).toEqual([200, first.body]);
});

test.each(READS)('%s needs a token', async (path) => {
  const { status, headers } = await api.call('GET', path, { token: null });
  expect([status, headers.get('cache-control')]).toEqual([401, 'no-store']);
});

test('an import is seen at once in every process, in the lists and in their tags', async () => {
  const path = '/public/projects/filters';
  const before = await Promise.all([api.call('GET', path), other.call('GET', path)]);
  expect(before[0].headers.get('etag')).toBe(before[1].headers.get('etag'));
  await imported(api.database, {
    locations: [{ key: 'dubai', name: 'Dubai Emirate', level: 'emirate' }],
    projectStatuses: [{ name: 'Sold Out' }],
  });
  const after = await Promise.all([api.call('GET', path), other.call('GET', path)]);
  for (const { headers, body } of after) {
    expect(headers.get('etag')).not.toBe(before[0].headers.get('etag'));
    expect(body.filters.status.values).toHaveLength(3);
    const dubai = body.filters.location.values.find((value: { id: string }) => value.id === id);
    expect(dubai.fullName).toBe('Dubai Emirate');
  }
  expect((await other.call('GET', `/public/locations/${id}`)).body.name).toBe('Dubai Emirate');
});
