import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** What tells a running process from a later one with the same number; null when there is none. */
export function processIdentity(pid: number): string | null {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return null;
  }
}

function fromProc(pid: number): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command, in parentheses, may hold spaces; the start time is the 20th field after it.
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return `${boot}:${startTime}`;
}

function fromPs(pid: number): string {
  const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return started.trim();
}
