import { execFile } from 'node:child_process';
import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { tryLock } from '../process/lock.ts';
import type { Progress } from '../progress.ts';

export interface Acquisition {
  title: string;
  /** Its place in the cache folder. */
  target: string;
  produce: (target: string) => Promise<void>;
  /** Called under the lock: another start may have produced it meanwhile. */
  cached: () => Promise<string | null>;
}

/** Downloads or builds a program once, however many stacks start at the same time; null when it fails. */
export async function acquire(wanted: Acquisition, progress: Progress): Promise<string | null> {
  await mkdir(path.dirname(wanted.target), { recursive: true });
  const lock = await waitForLock(wanted, progress);
  try {
    return (await wanted.cached()) ?? (await produceOnce(wanted, progress));
  } finally {
    lock.release();
  }
}

async function produceOnce({ title, target, produce }: Acquisition, progress: Progress) {
  const { done, fail } = progress.begin(title);
  try {
    await produce(target);
    done(`kept as ${target}`);
    return target;
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
    return null;
  }
}

async function waitForLock({ title, target }: Acquisition, progress: Progress) {
  for (let isFirst = true; ; isFirst = false) {
    const lock = tryLock(`${target}.lock`);
    if (lock.isMine) return lock;
    if (isFirst) progress.say(`${title}: process ${lock.heldBy} is at it, waiting for that.`);
    await sleep(500);
  }
}

/** Whether the program is the Temporal CLI with a server inside; `tctl` and the like are not. */
export async function isTemporalCli(binary: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 30_000 });
    return /temporal version .*\(Server \d/.test(stdout);
  } catch {
    return false;
  }
}

/** The first executable of that name on the search path. */
export async function onSearchPath(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter).filter(Boolean)) {
    const candidate = path.join(folder, name);
    const isExecutable = access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (await isExecutable) return candidate;
  }
  return null;
}
