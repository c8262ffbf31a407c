import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { isFree } from '../../dev/ports.ts';
import type { Addresses } from '../../dev/stack/addresses.ts';
import { addressFile } from '../../dev/stack/data-folder.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { newFolder } from '../support/folder.ts';

// Two starts on a busy machine.
const root = fileURLToPath(new URL('../..', import.meta.url));
const dataDir = path.join(newFolder(), 'data');
// eslint-disable-next-line no-restricted-properties -- where to find Temporal, as a process would
const given = process.env;
const ANY_PORTS = { PORT: '0', OPS_PORT: '0', WORKER_OPS_PORT: '0' };
const env = { ...given, ...ANY_PORTS, DATA_DIR: dataDir, DEMO_DATA: '0' };

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Of each start: the same for the same folder. */
const clients: string[] = [];
let npm: ChildProcess | undefined;
afterAll(() => void npm?.kill('SIGKILL'));

/** `npm start` in a process group of its own, so that a signal reaches npm alone. */
async function npmStart(): Promise<{ at: Addresses; ended: Promise<Ended> }> {
  const child = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: 'ignore' });
  npm = child;
  let isOver = false;
  const ended = new Promise<Ended>((resolve) => {
    child.once('exit', (code, signal) => {
      isOver = true;
      resolve({ code, signal });
    });
  });
  const read = async () => JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as Addresses;
  const at = await waitUntil(read, {
    what: 'npm start',
    timeoutMs: 200_000,
    abandon: () => (isOver ? 'npm start ended' : undefined),
  });
  return { at, ended };
}

async function tokenStatus({ baseUrl, clientId, clientSecret }: Addresses): Promise<number> {
  const grant = { grant_type: 'client_credentials', client_id: clientId };
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...grant, client_secret: clientSecret }),
  });
  return answer.status;
}

function portsOf({ baseUrl, opsUrl, databaseUrl, temporalAddress }: Addresses): number[] {
  const urls = [baseUrl, opsUrl, databaseUrl, `http://${temporalAddress}`];
  return urls.map((url) => Number(new URL(url).port));
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'npm ends with 0 on %s, once everything has stopped; the next start goes on',
  async (signal) => {
    const { at, ended } = await npmStart();
    expect(await tokenStatus(at)).toBe(200);
    npm?.kill(signal);
    expect(await ended).toEqual({ code: 0, signal: null });
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
