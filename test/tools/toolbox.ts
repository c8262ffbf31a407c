import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { cacheFolder } from '../../dev/cache-folder.ts';
import { runProgram, type Ended } from '../support/program.ts';

/** The tools, in a folder of the cache by their versions, so that they are installed once. */

const VERSIONS_FILE = path.join(import.meta.dirname, 'versions.json');
export const versions = JSON.parse(readFileSync(VERSIONS_FILE, 'utf8')) as {
  npm: Record<string, string>;
  pip: Record<string, string>;
  'openapi-generator': string;
};

// eslint-disable-next-line no-restricted-properties -- package managers need PATH, HOME and their settings
const given = process.env;
const hash = createHash('sha256').update(readFileSync(VERSIONS_FILE)).digest('hex').slice(0, 12);
const folder = path.join(cacheFolder(given), `tools-${hash}`);
export const npmTool = (name: string) => path.join(folder, 'node_modules/.bin', name);
export const pythonTool = (name: string) => path.join(folder, 'python/bin', name);
export const modules = path.join(folder, 'node_modules');
const JAR = path.join(folder, 'openapi-generator-cli.jar');

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string>;
  limitMs?: number;
}

/** The program's output; throws it where the program fails. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd = folder, env = {}, ...limit }: RunOptions = {},
): Promise<Ended> {
  const ended = await runProgram(command, args, { cwd, env: { ...given, ...env }, ...limit });
  if (ended.code === 0) return ended;
  const shown = `${ended.stdout}\n${ended.stderr}`.trim().slice(-60000);
  throw new Error(`${command} ${args.join(' ')}\n${shown}`);
}

export async function has(command: string): Promise<boolean> {
  return (await runProgram('sh', ['-c', `command -v ${command}`])).code === 0;
}

export async function installTools(): Promise<void> {
  const done = path.join(folder, 'installed');
  if (existsSync(done)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const exact = (packages: Record<string, string>, sign: string) =>
    Object.entries(packages).map(([name, version]) => `${name}${sign}${version}`);
  await run('npm', ['install', '--no-audit', '--no-fund', ...exact(versions.npm, '@')]);
  await run('python3', ['-m', 'venv', 'python']);
  await run(pythonTool('pip'), ['install', '--quiet', ...exact(versions.pip, '==')]);
  if (await has('mvn')) {
    const artifact = `org.openapitools:openapi-generator-cli:${versions['openapi-generator']}`;
    const copy = [
      '-q',
      '-B',
      'dependency:copy',
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${folder}`,
      '-Dmdep.stripVersion=true',
    ];
    await run('mvn', copy);
  }
  writeFileSync(done, '');
}

/** Generates with openapi-generator, at its default settings. */
export async function generate(language: string, document: string, to: string): Promise<void> {
  const args = ['generate', '-i', document, '-g', language, '-o', to];
  await run('java', ['-Xmx1g', '-jar', JAR, ...args]);
}

/** The generated client and the program have the types that they claim, and run as one file. */
export async function runTypeScript(
  program: string,
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<string> {
  const checked = ['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions'];
  const target = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const types = ['--lib', 'es2022,dom,dom.iterable', '--types', 'node'];
  const roots = ['--typeRoots', path.join(modules, '@types')];
  await run(npmTool('tsc'), [...checked, ...target, ...types, ...roots, program], { cwd });
  const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=program.mjs'];
  await run(npmTool('esbuild'), [program, ...bundle], { cwd });
  return (await run(process.execPath, ['program.mjs'], { cwd, env })).stdout;
}
