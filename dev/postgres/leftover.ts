import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { waitUntil } from '../wait-until.ts';

/**
 * Deals with the server of an earlier start: one that still runs on this folder is stopped (the
 * folder is ours), and a lock file whose process id has meanwhile gone to another program is removed.
 */
export async function clearLeftover(folder: string): Promise<void> {
  const lockFile = path.join(folder, 'postmaster.pid');
  const pid = pidIn(lockFile);
  if (pid === null || !isAlive(pid)) return;
  if (!commandOf(pid).includes(folder)) return rmSync(lockFile, { force: true });
  process.kill(pid, 'SIGINT');
  const gone = () =>
    isAlive(pid) ? Promise.reject(new Error('it still runs')) : Promise.resolve();
  await waitUntil(gone, {
    what: `The end of the earlier Postgres (process ${pid})`,
  });
}

function pidIn(lockFile: string): number | null {
  try {
    return Number(readFileSync(lockFile, 'utf8').split('\n')[0]) || null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return readCommandLine(pid);
  }
}

/** Small images have no `ps`. */
function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
