import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { waitUntil } from '../wait-until.ts';
import { markOf, runningAs } from './identity.ts';

/** Notes in `file` which process runs, for whoever has to end it later. */
export function notePid(file: string, pid: number): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, markOf(pid));
}

/** Ends what was noted in `folder` and still runs: of a stack that was killed together with its guardians. */
export async function endLeftovers(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await Promise.all(readdirSync(folder).map((name) => endLeftover(path.join(folder, name))));
}

async function endLeftover(file: string): Promise<void> {
  const mark = readFileSync(file, 'utf8');
  const pid = runningAs(mark);
  if (pid !== null) process.kill(pid, 'SIGKILL');
  const gone = async () => {
    if (runningAs(mark) !== null) throw new Error('it still runs');
  };
  await waitUntil(gone, { what: `The end of an earlier ${path.basename(file)} (process ${pid})` });
  rmSync(file);
}
