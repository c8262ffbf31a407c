import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseConfig } from '../../platform/config.ts';
import type { Database } from '../../store/db/database.ts';
import { workersOf } from '../../worker/workers.ts';
import { testActivityContext } from '../support/worker.ts';
import { stages } from './record/stages.ts';
import {
  historyFile,
  installedSdk,
  savedHistories,
  saveHistory,
  sdkOf,
  type SavedHistory,
} from './saved-histories.ts';

/** The versions of Temporal's SDK whose histories are kept. */
const VERSIONS = ['1.24.0'];

const saved = await savedHistories();
const folder = await mkdtemp(path.join(os.tmpdir(), 'histories-'));
afterAll(() => rm(folder, { recursive: true }));

describe('the saved histories', () => {
  test('cover these versions of the SDK, among them the installed one', () => {
    expect([...new Set(saved.map(({ history }) => sdkOf(history)))]).toEqual(VERSIONS);
    expect(VERSIONS).toContain(installedSdk);
  });

  test('stand in a folder of the version that made them', () => {
    for (const { scenario, history } of saved) expect(path.dirname(scenario)).toBe(sdkOf(history));
  });

  test('are those that docs/replay.md explains, all of them by the installed version', async () => {
    const named = await documentedScenarios();
    const names = saved.map(({ scenario }) => path.basename(scenario));
    expect([...new Set(names)].toSorted()).toEqual(named.toSorted());
    const ofInstalled = saved.filter(({ scenario }) => path.dirname(scenario) === installedSdk);
    expect(ofInstalled).toHaveLength(named.length);
  });

  test('are those of the scenarios, which another SDK will record', async () => {
    const scenarios = stages.flatMap(({ names }) => names);
    expect(scenarios.toSorted()).toEqual((await documentedScenarios()).toSorted());
  });

  test('wait for no activity that the workers of its task queue lack', () => {
    const registered = registeredActivities();
    const scheduled = saved.flatMap(({ history }) => scheduledActivities(history));
    expect(scheduled).not.toHaveLength(0);
    expect([...new Set(scheduled)].filter((each) => !registered.has(each))).toEqual([]);
  });

  test('are never written over', async () => {
    const [one, other] = saved as [SavedHistory, SavedHistory];
    await saveHistory(folder, 'same', one.history);
    await expect(saveHistory(folder, 'same', other.history)).rejects.toThrow('EEXIST');
    expect(await readFile(historyFile(folder, 'same'), 'utf8')).toBe(one.json);
  });
});

/** Those of all task queues; creating them needs no server. */
function registeredActivities(): Set<string> {
  const config = parseConfig({
    DATABASE_URL: 'postgres://nowhere/none',
    SECRETS_KEY: '11'.repeat(32),
    DNCR_CHECK_URL: 'http://127.0.0.1:9/check',
    DNCR_TOKEN_URL: 'http://127.0.0.1:9/token',
    DNCR_CLIENT_ID: 'id',
    DNCR_CLIENT_SECRET: 'secret',
  });
  const workers = workersOf(testActivityContext({} as Database, config));
  return new Set(
    workers.flatMap(({ taskQueue, activities = {} }) =>
      Object.keys(activities).map((name) => `${taskQueue} ${name}`),
    ),
  );
}

function scheduledActivities({ events }: SavedHistory['history']): string[] {
  return (events ?? [])
    .map((event) => event.activityTaskScheduledEventAttributes)
    .filter((scheduled) => scheduled !== null && scheduled !== undefined)
    .map(({ taskQueue, activityType }) => `${taskQueue?.name} ${activityType?.name}`);
}

/** The first column of the page's table of files, which may name several. */
async function documentedScenarios(): Promise<string[]> {
  const page = await readFile(new URL('../../docs/replay.md', import.meta.url), 'utf8');
  const [, table = ''] = /^\| File .*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => String(name)));
}
