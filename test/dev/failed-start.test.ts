import { readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { startStack } from '../../dev/stack.ts';
import { fromSetup } from '../support/environment.ts';
import { newFolder } from '../support/folder.ts';

// Of no machine: kept free for documents.
const NOWHERE = '192.0.2.1';

test('a start that fails leaves nothing running, not even what was still coming up', async () => {
  const folder = newFolder();
  // eslint-disable-next-line no-restricted-properties -- where to find programs, as a process would
  const given = { ...process.env, TEMPORAL_ADDRESS: fromSetup('TEST_TEMPORAL_ADDRESS') };
  const env = { ...given, DATA_DIR: folder, PORT: '0', OPS_PORT: '0', HOST: NOWHERE };
  await expect(startStack({ env })).rejects.toThrow(/The api ended while starting:/);
  expect(readdirSync(path.join(folder, 'running'))).toEqual([]);
});
