import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
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

test('where no home can be written to, downloads are kept in a temporary folder of the user’s own', () => {
  const folder = cacheFolder({ HOME: '/dev/null' });
  accessSync(folder, constants.W_OK);
  expect(statSync(folder)).toMatchObject({ uid: process.getuid?.() });
  expect(statSync(folder).mode & 0o077).toBe(0);
});
