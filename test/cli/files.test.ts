import { stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { makeFolder } from '../../cli/files.ts';
import { onLinux } from '../dev/support.ts';
import { newFolder } from '../support/folder.ts';

test('a folder is made with those above it, and may be there', async () => {
  const folder = path.join(newFolder(), 'a', 'b');
  await makeFolder(folder);
  await makeFolder(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
});

onLinux('a folder below one that takes none fails at once', async () => {
  await expect(makeFolder('/proc/none/runs')).rejects.toThrow('ENOENT');
});
