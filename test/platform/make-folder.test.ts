import { statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';
import { onLinux } from '../dev/support.ts';
import { newFolder } from '../support/folder.ts';

test('a folder is made with those above it, and may be there', () => {
  const folder = path.join(newFolder(), 'a', 'b');
  makeFolder(folder);
  makeFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

onLinux('a folder below one that takes none fails at once', () => {
  expect(() => makeFolder('/proc/none/runs')).toThrow('ENOENT');
});
