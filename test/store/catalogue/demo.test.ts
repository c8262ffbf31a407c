import { readFile } from 'node:fs/promises';
import { imported, openDatabase } from './open.ts';

const open = await openDatabase();
afterAll(() => open.close());

const file = new URL('../../../dev/demo/demo.json', import.meta.url);

test('the demo data is valid, and a second import of it changes nothing', async () => {
  const dataset: unknown = JSON.parse(await readFile(file, 'utf8'));
  const first = await imported(open.database, dataset);
  expect(first.locations?.created).toBeGreaterThan(90);
  const second = await imported(open.database, dataset);
  for (const counts of Object.values(second))
    expect(counts).toMatchObject({ created: 0, updated: 0, disabled: 0 });
});

test('it shows what is not obvious: a name of two places, a number of two listings, no catch-all rule', async () => {
  const twice = (table: string, column: string) =>
    open.database.query(
      `select ${column} as name from ${table} group by 1 having count(*) > 1 order by 1`,
    );
  expect(await twice('locations', 'name')).toEqual([
    { name: 'Al Nahda' },
    { name: 'Al Rashidiya' },
  ]);
  expect(await twice('listings', 'reference_no')).toEqual([{ name: 'AG-S-2000' }]);
  const [row] = await open.database.query<{ rules: { when: unknown[] }[] }>(
    `select rules from routing_rulesets order by version desc limit 1`,
  );
  expect(row?.rules.every(({ when }) => when.length > 0)).toBe(true);
});

test('the example of the documents is imported beside it', async () => {
  const example = new URL('../../../docs/dataset.example.json', import.meta.url);
  const counts = await imported(open.database, JSON.parse(await readFile(example, 'utf8')));
  expect(counts.projectStatuses).toMatchObject({ created: 0 });
});
