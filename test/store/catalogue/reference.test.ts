import { randomUUID } from 'node:crypto';
import { bumpReferenceVersion } from '../../../store/catalogue/reference-version.ts';
import { createReferenceCache } from '../../../store/catalogue/reference.ts';
import { sampleDataset } from '../../support/dataset.ts';
import { imported, openDatabase } from './open.ts';

const open = await openDatabase();
await imported(open.database, sampleDataset());
const cache = await createReferenceCache(open.database, 'Our Company');
afterAll(() => open.close());

/** The lists that a change of the database makes this process read again. */
async function readAgainAfter(change: string): Promise<string[]> {
  const before = await cache.atLeast(0);
  await open.database.query(change);
  await bumpReferenceVersion(open.database);
  const after = await cache.atLeast(before.version + 1);
  expect(after.version).toBe(before.version + 1);
  const names = Object.keys(after.lists) as (keyof typeof after.lists)[];
  return names.filter((name) => after.lists[name] !== before.lists[name] && name !== 'funnel');
}

test.each([
  [
    'a new campaign',
    `insert into list_entries (id, list, key, name) values ('${randomUUID()}', 'campaign', 'creek', 'Creek')`,
    ['campaign'],
  ],
  [
    'another name',
    `update list_entries set name = 'Creek Spring' where key = 'creek'`,
    ['campaign'],
  ],
  [
    'one that is disabled',
    `update list_entries set enabled = false where key = 'creek'`,
    ['campaign'],
  ],
  ['one that is deleted', `delete from list_entries where key = 'creek'`, ['campaign']],
  [
    'an alias',
    `update list_entries set aliases = '{Landlords}' where list = 'leadType' and key = 'landlord'`,
    ['leadType'],
  ],
  ['a developer', `update developers set name = name || '!'`, ['developer']],
  ['a location', `update locations set name_ar = name || '!'`, ['location']],
  ['an agent', `update agents set active = not active`, ['agent']],
  ['new rules', 'select 1', []],
])('%s is read without the lists that are as they were', async (_, change, lists) => {
  expect(await readAgainAfter(change)).toEqual(lists);
});
