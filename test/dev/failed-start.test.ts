import { readdirSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../dev/ports.ts';
import type { Stack } from '../../dev/stack.ts';
import { fromSetup } from '../support/environment.ts';
import { newFolder } from '../support/folder.ts';
import { startStack } from '../support/stack.ts';

let stack: Stack | undefined;
afterEach(() => stack?.stop());

async function start(variables: Record<string, string>): Promise<void> {
  // eslint-disable-next-line no-restricted-properties -- where to find Temporal, as a process would
  const env = { ...process.env, DATA_DIR: newFolder(), PORT: '0', OPS_PORT: '0', ...variables };
  stack = await startStack({ env });
}

test('a Temporal that is given and not there is reported by its variable, with what to do', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  await expect(start({ TEMPORAL_ADDRESS: address })).rejects.toThrow(
    /worker ended while starting:[^]*Temporal cannot be reached: check TEMPORAL_ADDRESS/,
  );
});

test('so is a Postgres', async () => {
  const url = `postgres://me:secret@127.0.0.1:${await freePort()}/leads`;
  const given = { DATABASE_URL: url, TEMPORAL_ADDRESS: fromSetup('TEST_TEMPORAL_ADDRESS') };
  const started = start(given);
  await expect(started).rejects.toThrow(/The Postgres at DATABASE_URL cannot be reached/);
  await expect(started).rejects.not.toThrow(/secret|at async/);
});

// An address of no machine: kept free for documents.
const NOWHERE = '192.0.2.1';

test('a start that fails leaves nothing running, not even what was still coming up', async () => {
  const folder = newFolder();
  const given = { TEMPORAL_ADDRESS: fromSetup('TEST_TEMPORAL_ADDRESS'), DATA_DIR: folder };
  await expect(start({ ...given, HOST: NOWHERE })).rejects.toThrow(/The api ended while starting:/);
  expect(readdirSync(path.join(folder, 'running'))).toEqual([]);
});
