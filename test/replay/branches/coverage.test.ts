import process from 'node:process';
import { doSavedHistoriesReplay } from '../outcomes.ts';
import { savedHistories } from '../saved-histories.ts';
import { branchesByFile, measureCoverage, type Branches } from './measure-coverage.ts';

const root = new URL('../../../', import.meta.url);
const workflows = new URL('workflows/index.ts', root);

const measure = async (name: RegExp) => {
  const histories = await savedHistories();
  const chosen = histories.filter(({ scenario }) => name.test(scenario));
  return branchesByFile(await measureCoverage(workflows, chosen), root);
};

const missedIn = (files: Map<string, Branches>) =>
  [...files.values()].flatMap(({ missed }) => missed);

/** Null where the saved histories do not replay, which replay.test.ts reports with the cause. */
async function measureAll(): Promise<Map<string, Branches> | null> {
  try {
    return await measure(/./);
  } catch (error) {
    if (await doSavedHistoriesReplay()) throw error;
    return null;
  }
}

const all = await measureAll();
const files = all ?? new Map<string, Branches>();
const testOnceTheyReplay = all ? test : test.skip;
process.stdout.write(all ? formatTable(all) : 'No branches are counted: see replay.test.ts.\n');

describe('the replay of the saved histories', () => {
  testOnceTheyReplay('takes every branch of the workflows', () => {
    expect(missedIn(files)).toEqual([]);
  });

  testOnceTheyReplay('loads every workflow', () => {
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        'workflows/dncr-check.ts',
        'workflows/housekeeping.ts',
        'workflows/lead-lifecycle.ts',
        'workflows/webhook-test.ts',
      ]),
    );
  });
});

testOnceTheyReplay('a branch that no history takes is named by its place', async () => {
  const missed = missedIn(await measure(/dncr-check-answered$/));
  expect(missed).toContainEqual(
    expect.stringMatching(/^workflows\/dncr-check\.ts:\d+:\d+ if, way 2 of 2$/),
  );
});

function formatTable(files: Map<string, Branches>): string {
  const rows = [...files].filter(([, { total }]) => total > 0);
  const sum = (key: 'taken' | 'total') => rows.reduce((all, [, file]) => all + file[key], 0);
  const all = { taken: sum('taken'), total: sum('total') };
  const lines = [...rows, ['all', all] as const].map(
    ([name, { taken, total }]) =>
      `  ${name.padEnd(40)}${`${taken} of ${total}`.padStart(10)}${((100 * taken) / total).toFixed(1).padStart(8)} %`,
  );
  return `Branches that the saved histories take\n${lines.join('\n')}\n`;
}
