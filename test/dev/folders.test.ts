import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { cacheFolder } from '../../dev/cache-folder.ts';
import { postgresPrograms } from '../../dev/postgres/programs.ts';
import { assertKnownDatabase, openState, takeFolder } from '../../dev/stack/data-folder.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';
import { onLinux } from './support.ts';

test('a data folder that cannot be written to is reported with what to do', async () => {
  const file = path.join(newFolder(), 'file');
  writeFileSync(file, '');
  await expect(takeFolder(file)).rejects.toThrow(/can be written to \(EEXIST\)\.\nSet DATA_DIR/);
  await expect(takeFolder(path.join(file, 'below'))).rejects.toThrow(/\(ENOTDIR\)\.\nSet DATA_DIR/);
});

test('so is a file in it that a power cut has left empty', () => {
  const dataDir = newFolder();
  writeFileSync(path.join(dataDir, 'kept.json'), '');
  expect(() => openState(dataDir)).toThrow(/kept\.json is damaged: delete it/);
});

test('a data folder is closed to other users, also one that was open to them', async () => {
  const [existing, made] = [newFolder(), path.join(newFolder(), 'made')];
  for (const folder of [existing, made]) {
    (await takeFolder(folder))();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  }
});

test('a folder that other users share is not', async () => {
  const folder = newFolder();
  chmodSync(folder, 0o1777);
  await expect(takeFolder(folder)).rejects.toThrow(/\(shared with other users\)\.\nSet DATA_DIR/);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
});

test('where no home can be written to, downloads are kept in a temporary folder of the user’s own', () => {
  const folder = cacheFolder({ HOME: '/dev/null' });
  accessSync(folder, constants.W_OK);
  expect(statSync(folder)).toMatchObject({ uid: process.getuid?.() });
  expect(statSync(folder).mode & 0o077).toBe(0);
});

test('a folder for programs that another user could write to is not used', async () => {
  const own = path.join(newFolder(), `lead-intake-cache-${process.getuid?.()}`);
  mkdirSync(own);
  chmodSync(own, 0o777);
  const module = path.resolve(import.meta.dirname, '../../dev/cache-folder.ts');
  const script = `import { cacheFolder } from '${module}'; cacheFolder({ HOME: '/dev/null' })`;
  const env = { TMPDIR: path.dirname(own) };
  const run = await runProgram(process.execPath, ['--input-type=module', '-e', script], { env });
  expect(run.code).toBe(1);
  expect(run.stderr).toMatch(/or can write to it: set XDG_CACHE_HOME/);
});

onLinux('the links that the install script of Postgres’s package makes are made without it', () => {
  const link = path.join(postgresPrograms(null, newFolder()), '../lib/libecpg.so');
  rmSync(link);
  postgresPrograms(null, newFolder());
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('a data folder that lost its database is refused with a way out', () => {
  const dataDir = newFolder();
  const check = () => assertKnownDatabase(dataDir, path.join(dataDir, 'postgres'));
  expect(check).not.toThrow();
  openState(dataDir).useDatabase('of an earlier start');
  expect(check).toThrow(
    /postgres is missing\.\nPut it back, .* To begin with an empty one, delete/,
  );
});
