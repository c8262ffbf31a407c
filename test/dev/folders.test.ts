import { chmodSync, lstatSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { postgresPrograms } from '../../dev/postgres/programs.ts';
import { openState, takeFolder } from '../../dev/stack/data-folder.ts';
import { newFolder } from '../support/folder.ts';
import { onLinux } from './support.ts';

test('a data folder that cannot be written to is reported with what to do', async () => {
  const file = path.join(newFolder(), 'file');
  writeFileSync(file, '');
  await expect(takeFolder(file)).rejects.toThrow(/can be written to \(EEXIST\)\.\nSet DATA_DIR/);
  await expect(takeFolder(path.join(file, 'below'))).rejects.toThrow(/\(ENOTDIR\)\.\nSet DATA_DIR/);
});

test('a file in it that a power cut has left empty is written again', () => {
  const dataDir = newFolder();
  writeFileSync(path.join(dataDir, 'kept.json'), '');
  openState(dataDir).keep({ demoData: 'hash' });
  expect(openState(dataDir).stored).toEqual({ demoData: 'hash' });
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

onLinux('the links that the install script of Postgres’s package makes are made without it', () => {
  const link = path.join(postgresPrograms(null, newFolder()), '../lib/libecpg.so');
  rmSync(link);
  postgresPrograms(null, newFolder());
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});
