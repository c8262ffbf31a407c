// Tells jest (`--filter`) which tests a change concerns: those of the changed file's own folder that reach it,
// by importing it or by naming its path, and nearer ones of other folders. Its callers' tests run with `npm test`.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** Where a folder's tests are, if not only in the folder of its name in `test/`. */
const TEST_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  temporal: ['workflows', 'worker'],
  workflows: ['workflows', 'replay'],
};

/** The files that import or name each file. */
type Importers = ReadonlyMap<string, readonly string[]>;

async function filterTests(paths: readonly string[]): Promise<{ filtered: string[] }> {
  const [changed, importers] = await Promise.all([listChanged(), readImporters()]);
  const concerned = new Set(changed.flatMap((file) => testsOf(file, importers)));
  return { filtered: paths.filter((each) => concerned.has(path.relative(root, each))) };
}
export { filterTests as 'module.exports' };

/** What is not committed, or what changed since the branch left the commit in CHANGED_SINCE. */
async function listChanged(): Promise<string[]> {
  // eslint-disable-next-line no-restricted-properties -- jest hands a filter nothing but paths
  const since = process.env['CHANGED_SINCE'] ?? 'HEAD';
  const untracked = ['ls-files', '--others', '--exclude-standard'];
  return (
    await Promise.all([git('diff', '--name-only', '--merge-base', since), git(...untracked)])
  ).flat();
}

async function git(...words: string[]): Promise<string[]> {
  const { stdout } = await run('git', [...words, '-z'], { cwd: root, maxBuffer: 2 ** 26 });
  return stdout.split('\0').filter((file) => file !== '');
}

export async function readImporters(): Promise<Importers> {
  const files = await git('ls-files', '--cached', '--others', '--exclude-standard');
  const importers = new Map<string, string[]>(files.map((file) => [file, []]));
  const code = files.filter((file) => /\.(?:ts|mjs)$/.test(file));
  await Promise.all(
    code.map(async (file) => {
      const text = await readFile(path.join(root, file), 'utf8').catch(() => ''); // removed
      for (const named of listNamedPaths(file, text)) importers.get(named)?.push(file);
    }),
  );
  return importers;
}

const TYPE_IMPORT = /\b(?:import|export) type [^;]*;/g;
const LITERAL = /'([^'\s]+)'/g;

/** Imports, `new URL('./planted/…', import.meta.url)`, and scripts such as `cli/main.ts` that a test starts. */
function listNamedPaths(file: string, text: string): Set<string> {
  const folder = path.dirname(file);
  const literals = [...text.replace(TYPE_IMPORT, '').matchAll(LITERAL)].map(([, said]) =>
    String(said),
  );
  return new Set(literals.map((said) => path.join(said.startsWith('.') ? folder : '', said)));
}

/**
 * The tests of the file's own folder, and those that are the fewest imports away where all of these are in other folders.
 * Those of test/e2e take minutes each and concern a change of their own only.
 */
export function testsOf(file: string, importers: Importers): string[] {
  const levels = testsByDistance(file, importers);
  const isOwn = (test: string) => isInFolderOf(file, test);
  const own = levels.flat().filter(isOwn);
  const nearest = levels.find((tests) => tests.length > 0) ?? [];
  return nearest.some(isOwn) ? own : [...nearest, ...own];
}

function testsByDistance(file: string, importers: Importers): string[][] {
  const isShort = (test: string) => !test.startsWith('test/e2e/') || file.startsWith('test/e2e/');
  const seen = new Set([file]);
  const levels: string[][] = [];
  for (let level = [file]; level.length > 0;) {
    levels.push(level.filter((each) => each.endsWith('.test.ts') && isShort(each)));
    level = [...new Set(level.flatMap((each) => importers.get(each) ?? []))];
    level = level.filter((each) => !seen.has(each));
    for (const each of level) seen.add(each);
  }
  return levels;
}

/** What every test may use, in test/support, concerns all that reach it. */
function isInFolderOf(file: string, test: string): boolean {
  const [first = '', second = ''] = file.split('/');
  const folder = first === 'test' ? second : first;
  const folders = TEST_FOLDERS[folder] ?? [folder];
  return folder === 'support' || folders.some((each) => test.startsWith(`test/${each}/`));
}
