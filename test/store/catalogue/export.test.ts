import { exportDataset } from '../../../app/dataset/export.ts';
import { sampleDataset } from '../../support/dataset.ts';
import { imported, openDatabase, type OpenDatabase } from './open.ts';

const open = await openDatabase();
afterAll(() => open.close());

const exported = async (from: OpenDatabase) =>
  Object.fromEntries(await exportDataset(from.database));

test('an export, imported again, changes nothing', async () => {
  await imported(open.database, sampleDataset());
  await imported(open.database, { developers: [], pools: [] }, { disableMissing: true });
  const dataset = await exported(open);
  const counts = await imported(open.database, dataset, { disableMissing: true });
  expect(Object.keys(counts).toSorted()).toEqual(Object.keys(sampleDataset()).toSorted());
  for (const count of Object.values(counts))
    expect(count).toMatchObject({ created: 0, updated: 0, disabled: 0 });
});

test('an export into an empty database gives the same export', async () => {
  const dataset = await exported(open);
  const empty = await openDatabase();
  try {
    await imported(empty.database, dataset);
    expect(await exported(empty)).toEqual(dataset);
  } finally {
    await empty.close();
  }
});
