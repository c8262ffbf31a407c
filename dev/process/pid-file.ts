import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { markIn, markOf, pidOfMark } from '../../platform/process-mark.ts';
import { waitUntil } from '../wait-until.ts';

export type Lock = { isMine: true; release(): void } | { isMine: false; heldBy: number };

/** Replaces the lock of a process that has ended. */
export function tryLock(file: string): Lock {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const mine = markIn(file, process.pid);
  while (!createWith(file, mine)) {
    const found = contentOf(file);
    const heldBy = pidOfMark(markOf(file, found));
    if (heldBy !== null && heldBy !== process.pid) return { isMine: false, heldBy };
    if (found === mine) break;
    discard(file, found);
  }
  return { isMine: true, release: () => discard(file, mine) };
}

/** Creates the file with its content at once. False if it exists. */
function createWith(file: string, content: string): boolean {
  const draft = `${file}.${randomUUID()}`;
  try {
    fs.writeFileSync(draft, content);
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Removes the file, but puts it back if another process has replaced its content. */
function discard(file: string, content: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    fs.renameSync(file, aside);
    if (contentOf(aside) !== content) fs.linkSync(aside, file);
    fs.rmSync(aside);
  } catch {
    // Another process was quicker.
  }
}

function contentOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return ''; // released meanwhile
  }
}

export function writePidFile(file: string, pid: number): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, markIn(file, pid));
}

/** Ends the programs of a stack that was killed together with its supervisor. */
export async function endLeftovers(folder: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const end = async (name: string) => {
    const file = path.join(folder, name);
    await endLeftover(name, markOf(file, contentOf(file)));
    fs.rmSync(file, { force: true });
  };
  await Promise.all(fs.readdirSync(folder).map(end));
}

export async function endLeftover(name: string, mark: string): Promise<void> {
  const pid = pidOfMark(mark);
  // On SIGINT Postgres closes its connections and writes its data.
  if (pid !== null) process.kill(pid, name === 'postgres' ? 'SIGINT' : 'SIGKILL');
  const checkEnd = async () => {
    if (pidOfMark(mark) !== null) throw new Error('it still runs');
  };
  await waitUntil(checkEnd, { what: `The end of the earlier ${name} (process ${pid})` });
}
