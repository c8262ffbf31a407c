import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Postgres } from '../../dev/postgres.ts';
import { waitUntil } from '../../dev/wait-until.ts';

export const onLinux = process.platform === 'linux' ? test : test.skip;

/** Runs fixtures/parent.ts. */
function spawnParent(...args: string[]): ChildProcess {
  const script = fileURLToPath(new URL('fixtures/parent.ts', import.meta.url));
  return spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Runs it until it has said which process it started. */
export async function startParent(
  ...args: string[]
): Promise<{ parent: ChildProcess; childPid: number }> {
  const parent = spawnParent(...args);
  const childPid = await new Promise<number>((resolve, reject) => {
    parent.stdout?.once('data', (text: Buffer) => resolve(Number(text.toString())));
    parent.once('exit', () => reject(new Error('The parent ended.')));
  });
  return { parent, childPid };
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(statusOf(pid));
  } catch {
    return false;
  }
}

/** One that has ended but was not collected by its parent is no longer running. */
function statusOf(pid: number): string {
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
}

export async function hasEnded(pid: number): Promise<void> {
  const check = async () => {
    if (isRunning(pid)) throw new Error('it runs');
  };
  await waitUntil(check, { what: `The end of process ${pid}` });
}

/** The process that ends the programs of `parent` after its end. */
export function supervisorOf(parent: ChildProcess): number {
  const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8');
  const isSupervisor = (pid: string) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('supervisor.ts');
  return Number(children.trim().split(' ').find(isSupervisor));
}

export async function query(
  connectionString: string,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function findAnswer({ superuserUrl, stop }: Postgres): Promise<void> {
  expect(await query(superuserUrl, 'table kept')).toEqual([{ answer: 42 }]);
  await stop();
}
