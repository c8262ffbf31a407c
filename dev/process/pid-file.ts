import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  readdirSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { execFileSync } from 'node:child_process';
import { waitUntil } from '../wait-until.ts';

export type Lock = { isMine: true; release(): void } | { isMine: false; heldBy: number };

/** Takes the lock unless a running process holds it; that of an ended process is replaced. */
export function tryLock(file: string): Lock {
  mkdirSync(path.dirname(file), { recursive: true });
  const mine = markIn(file, process.pid);
  while (!putInPlace(file, mine)) {
    const found = contentOf(file);
    const heldBy = pidOfMark(markOf(file, found));
    if (heldBy !== null && heldBy !== process.pid) return { isMine: false, heldBy };
    if (found === mine) break;
    discard(file, found);
  }
  return { isMine: true, release: () => discard(file, mine) };
}

/** The file appears with its content or not at all. */
function putInPlace(file: string, content: string): boolean {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, content);
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the file if it still contains `content`; if it was replaced meanwhile, it is put back. */
function discard(file: string, content: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== content) linkSync(aside, file);
    rmSync(aside);
  } catch {
    // Another process was quicker.
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Identifies a process beyond its pid, which a later process may get. */
export function processMark(pid: number): string {
  return `${pid} ${processIdentity(pid)}`;
}

/** The mark for a file: a copy of the file's folder must not pass for the folder that the process works in. */
export function markIn(file: string, pid: number): string {
  return `${processMark(pid)}\n${folderId(file)}`;
}

/** The mark in the content of a file; empty in a copy of it. */
export function markOf(file: string, content: string): string {
  const [mark = '', folder = folderId(file)] = content.split('\n');
  return folder === folderId(file) ? mark : '';
}

const folderId = (file: string) => String(statSync(path.dirname(file)).ino);

/** The pid of the process that the mark was made from, or null when it has ended. */
export function pidOfMark(mark: string): number | null {
  const space = mark.indexOf(' ');
  const pid = Number(mark.slice(0, space));
  return mark.slice(space + 1) === processIdentity(pid) ? pid : null;
}

/**
 * Differs between processes that had the same pid at different times; null when none runs. A zombie
 * counts as ended: where the container's first process reaps no children it stays listed.
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

/** Records which process runs, so that a later start can end it. */
export function writePidFile(file: string, pid: number): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, markIn(file, pid));
}

/** Kills the recorded programs that still run: those of a stack that was killed with its supervisors. */
export async function endLeftovers(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await Promise.all(readdirSync(folder).map((name) => endLeftover(path.join(folder, name))));
}

async function endLeftover(file: string): Promise<void> {
  const mark = markOf(file, readFileSync(file, 'utf8'));
  await endEarlier(path.basename(file), mark, 'SIGKILL');
  rmSync(file);
}

/** Ends the process that the mark was made from, where it still runs. */
export async function endEarlier(what: string, mark: string, signal: NodeJS.Signals) {
  const pid = pidOfMark(mark);
  if (pid !== null) process.kill(pid, signal);
  const checkEnd = async () => {
    if (pidOfMark(mark) !== null) throw new Error('it still runs');
  };
  await waitUntil(checkEnd, { what: `The end of the earlier ${what} (process ${pid})` });
}
