import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Says which process that is, in words that fit no later one with the same number. */
export function markOf(pid: number): string {
  return `${pid} ${processIdentity(pid)}`;
}

/** The process that the mark was made of, if it still runs. */
export function runningAs(mark: string): number | null {
  const space = mark.indexOf(' ');
  const pid = Number(mark.slice(0, space));
  return mark.slice(space + 1) === processIdentity(pid) ? pid : null;
}

/**
 * What tells a running process from a later one with the same number; null when there is none. One
 * that has ended is none, though in a container that collects no ended processes it stays listed.
 */
function processIdentity(pid: number): string | null {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return null;
  }
}

function fromProc(pid: number): string | null {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command, in parentheses, may hold spaces; the start time is the 20th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return isOver(fields[0]) ? null : `${boot}:${fields[19]}`;
}

function fromPs(pid: number): string | null {
  const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [state, ...started] = line.trim().split(/\s+/);
  return isOver(state) ? null : started.join(' ');
}

function isOver(state = ''): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}
