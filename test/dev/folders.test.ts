import { accessSync, chmodSync, constants, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { cacheFolder } from '../../dev/cache-folder.ts';
import { takeFolder } from '../../dev/stack/data-folder.ts';
import { choosePorts } from '../../dev/stack/ports.ts';
import { settingsFrom } from '../../dev/stack/settings.ts';
import { newFolder } from '../support/folder.ts';

test('a data folder that cannot be written to is reported with what to do', async () => {
  const file = path.join(newFolder(), 'file');
  writeFileSync(file, '');
  await expect(takeFolder(file)).rejects.toThrow(/can be written to \(EEXIST\)\.\nSet DATA_DIR/);
  await expect(takeFolder(path.join(file, 'below'))).rejects.toThrow(/\(ENOTDIR\)\.\nSet DATA_DIR/);
});

test('so is a file in it that a power cut has left empty', async () => {
  const dataDir = newFolder();
  writeFileSync(path.join(dataDir, 'ports.json'), '');
  const chosen = choosePorts(settingsFrom({ DATA_DIR: dataDir, PORT: '0' }));
  await expect(chosen).rejects.toThrow(/ports\.json is damaged: delete it/);
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
