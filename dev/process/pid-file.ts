import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { waitUntil } from '../wait-until.ts';

/** Says which process that is, in words that fit no later one with the same number. */
export function processMark(pid: number): string {
  return `${pid} ${processIdentity(pid)}`;
}

/** The process that the mark was made of, if it still runs. */
export function pidOfMark(mark: string): number | null {
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

/** Notes in `file` which process runs, for whoever has to end it later. */
export function writePidFile(file: string, pid: number): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, processMark(pid));
}

/** Ends what was noted in `folder` and still runs: of a stack that was killed together with its supervisors. */
export async function endLeftovers(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await Promise.all(readdirSync(folder).map((name) => endLeftover(path.join(folder, name))));
}

async function endLeftover(file: string): Promise<void> {
  const mark = readFileSync(file, 'utf8');
  const pid = pidOfMark(mark);
  if (pid !== null) process.kill(pid, 'SIGKILL');
  const gone = async () => {
    if (pidOfMark(mark) !== null) throw new Error('it still runs');
  };
  await waitUntil(gone, { what: `The end of an earlier ${path.basename(file)} (process ${pid})` });
  rmSync(file);
}
