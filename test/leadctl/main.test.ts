import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const run = promisify(execFile);
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** The command itself, as `npm run leadctl --` starts it. */
async function leadctl(...words: string[]): Promise<Ended> {
  const environment = {
    // eslint-disable-next-line no-restricted-properties -- the child needs PATH and HOME
    ...process.env,
    DATABASE_URL: database.url,
    SECRETS_KEY: '11'.repeat(32),
  };
  const command = ['dev/launch.mjs', 'api/leadctl/main.ts', ...words];
  return run(process.execPath, command, { env: environment }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  );
}

describe('leadctl as a process', () => {
  test('ends with 0 and prints nothing but JSON when asked for it', async () => {
    const { code, stdout } = await leadctl('rules', 'versions', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ version: 1, isActive: true, rules: 0 }]);
  });

  test('ends with 1 and a sentence when something is not there', async () => {
    const { code, stdout, stderr } = await leadctl('rules', 'activate', '7');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no ruleset 7; see leadctl rules versions.\n',
    });
  });

  test('lists every group of commands', async () => {
    const { stdout } = await leadctl('--help');
    for (const group of [
      'client',
      'token',
      'webhook',
      'import',
      'rules',
      'agent',
      'lead',
      'history',
    ])
      expect(stdout).toMatch(new RegExp(`^  ${group}`, 'm'));
  });
});
