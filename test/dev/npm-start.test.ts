import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isFree } from '../../dev/ports.ts';
import type { Addresses } from '../../dev/stack/addresses.ts';
import { addressFile } from '../../dev/stack/data-folder.ts';
import { newFolder } from '../support/folder.ts';
import { npmStart, requestToken } from '../support/npm-start.ts';

// Two starts on a busy machine.
const root = fileURLToPath(new URL('../..', import.meta.url));
const dataDir = path.join(newFolder(), 'data');
// eslint-disable-next-line no-restricted-properties -- where to find Temporal, as a process would
const given = process.env;
const ANY_PORTS = { PORT: '0', OPS_PORT: '0', WORKER_OPS_PORT: '0' };
const env = { ...given, ...ANY_PORTS, DATA_DIR: dataDir, DEMO_DATA: '0' };

/** The client of each start: the same for the same folder. */
const clients: string[] = [];
let npm: ChildProcess | undefined;
afterAll(() => void npm?.kill('SIGKILL'));

function portsOf({ baseUrl, opsUrl, databaseUrl, temporalAddress }: Addresses): number[] {
  const urls = [baseUrl, opsUrl, databaseUrl, `http://${temporalAddress}`];
  return urls.map((url) => Number(new URL(url).port));
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'npm ends with 0 on %s, once everything has stopped; the next start goes on',
  async (signal) => {
    const started = npmStart({ env, dataDir });
    npm = started.npm;
    const at = await started.isUp();
    expect(await requestToken(at)).toMatchObject({ status: 200 });
    npm.kill(signal);
    expect(await started.ended).toEqual({ code: 0, signal: null });
    expect(existsSync(addressFile(dataDir))).toBe(false);
    expect(await Promise.all(portsOf(at).map(isFree))).toEqual([true, true, true, true]);
    clients.push(at.clientId);
    expect(new Set(clients).size).toBe(1);
  },
);

test('stops in order when nobody reads what it prints any more, as when a terminal closes', async () => {
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true });
  npm = child;
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, said }).toEqual({ code: 0, said: expect.not.stringContaining('Error') });
  expect(existsSync(path.join(dataDir, 'lock'))).toBe(false);
});
