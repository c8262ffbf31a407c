import path from 'node:path';
import { readImporters, testsOf } from '../changed-tests.ts';

const importers = await readImporters();

/** This file names others by their path, and so is one of the nearest tests of them. */
const SELF = 'test/architecture/changed-tests.test.ts';

describe('the tests that a change concerns', () => {
  test.each([
    ['domain/routing/wait.ts', 'test/domain/', 'test/domain/routing/wait.test.ts'],
    ['domain/leads/fields.ts', 'test/domain/', 'test/domain/leads/rules.test.ts'],
    ['store/tables/clients.ts', 'test/store/', 'test/store/tables/schema.test.ts'],
    ['api/routes/index.ts', 'test/api/', 'test/api/openapi/document.test.ts'],
    ['test/domain/routing/make.ts', 'test/domain/', 'test/domain/routing/decide.test.ts'],
  ])('of %s are in %s', (file, folder, one) => {
    const tests = testsOf(file, importers);
    expect(tests).toContain(one);
    expect(tests.filter((each) => !each.startsWith(folder) && each !== SELF)).toEqual([]);
  });

  test.each([
    ['a test itself', 'test/domain/routing/wait.test.ts', 'test/domain/routing/wait.test.ts'],
    ['a bundled workflow', 'workflows/lead-timer.ts', 'test/replay/replay.test.ts'],
    ['a workflow that a worker runs', 'workflows/lead-page.ts', 'test/workflows/lead-page.test.ts'],
    ['a program that a test starts', 'cli/main.ts', 'test/cli/main.test.ts'],
    ['a planted file', 'test/replay/planted/later-lead-lifecycle.ts', 'test/replay/replay.test.ts'],
    ['a page that a test reads', 'docs/replay.md', 'test/replay/saved-histories.test.ts'],
    ['a file of the root', 'Dockerfile', 'test/architecture/deployment.test.ts'],
    ['what only another folder tests', 'store/people/erasures.ts', 'test/cli/person.test.ts'],
    ['what all tests use', 'test/support/people.ts', 'test/workflows/lead-cost.test.ts'],
  ])('are found for %s', (_kind, file, one) => {
    expect(testsOf(file, importers)).toContain(one);
  });

  test('are all but the long ones, which only their own changes concern', () => {
    const isLong = (each: string) => each.startsWith('test/e2e/');
    const others = [...importers.keys()].filter((file) => !isLong(file));
    expect(others.filter((file) => testsOf(file, importers).some(isLong))).toEqual([]);
    expect(testsOf('test/e2e/workload.ts', importers).some(isLong)).toBe(true);
  });

  test('are in the folder of the feature for each feature of the activities', () => {
    const files = [...importers.keys()].filter((file) => /^activities\/\w+\//.test(file));
    for (const feature of new Set(files.map((file) => path.dirname(file)))) {
      const tests = files
        .filter((file) => file.startsWith(`${feature}/`))
        .flatMap((file) => testsOf(file, importers));
      expect(tests).toContainEqual(expect.stringContaining(`test/${feature}/`));
    }
  });

  test('are known for nearly every file of the code', () => {
    const layers =
      /^(activities|api|app|cli|domain|platform|store|temporal|worker|workflows)\/.*\.ts$/;
    const code = [...importers.keys()].filter((file) => layers.test(file));
    const found = code.filter((file) => testsOf(file, importers).length > 0);
    expect(found.length / code.length).toBeGreaterThan(0.9);
  });
});
