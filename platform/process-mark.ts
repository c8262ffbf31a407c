import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Identifies a process, since a later process may get the same pid. */
export function processMark(pid: number): string {
  return `${pid} ${processIdentity(pid)}`;
}

/** Also identifies the folder, so that the mark is invalid in a copy of it. */
export function markIn(file: string, pid: number): string {
  return `${processMark(pid)}\n${folderId(file)}`;
}

export function markOf(file: string, content: string): string {
  const [mark = '', folder = folderId(file)] = content.split('\n');
  return folder === folderId(file) ? mark : '';
}

const folderId = (file: string) => String(statSync(path.dirname(file)).ino);

/** Null if the process has ended. */
export function pidOfMark(mark: string): number | null {
  const space = mark.indexOf(' ');
  const pid = Number(mark.slice(0, space));
  return mark.slice(space + 1) === processIdentity(pid) ? pid : null;
}

export function holderOf(file: string): number | null {
  try {
    return pidOfMark(markOf(file, readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

/** Null for a zombie too, which remains if the first process reaps no children. */
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
  // The command, in parentheses, may contain spaces. The start time is the 20th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return hasEnded(fields[0]) ? null : `${boot}:${fields[19]}`;
}

function fromPs(pid: number): string | null {
  const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [state, ...started] = line.trim().split(/\s+/);
  return hasEnded(state) ? null : started.join(' ');
}

function hasEnded(state = ''): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}
