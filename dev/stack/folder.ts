import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { tryLock } from '../process/lock.ts';
import { addressFile } from './addresses.ts';
import { waitUntil } from '../wait-until.ts';

const STOPPING_TAKES_AT_MOST_MS = 15_000;
const NOTICING_TAKES_AT_MOST_MS = 2_000;

/** Which programs of the stack run. */
export const runningFolder = (dataDir: string) => path.join(dataDir, 'running');

/**
 * Makes the folder this stack's own; gives how to let go of it. A stack that is just being stopped
 * is waited for; one that is up is an error.
 */
export async function takeFolder(dataDir: string): Promise<() => void> {
  makeWritable(dataDir);
  const since = Date.now();
  let heldBy = 0;
  const take = async () => {
    const lock = tryLock(path.join(dataDir, 'lock'));
    if (lock.isMine) return lock.release;
    heldBy = lock.heldBy;
    throw new Error('it is held');
  };
  const isUp = () =>
    existsSync(addressFile(dataDir)) && Date.now() - since > NOTICING_TAKES_AT_MOST_MS;
  const inUse = () =>
    `${dataDir} is in use by a stack that runs as process ${heldBy}.\n` +
    'Stop that one, or set DATA_DIR to another folder (and PORT to another port).';
  const isLate = () => Date.now() - since > STOPPING_TAKES_AT_MOST_MS;
  return waitUntil(take, {
    what: dataDir,
    timeoutMs: Infinity,
    everyMs: 200,
    abandon: () => (isUp() || isLate() ? inUse() : undefined),
  });
}

function makeWritable(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code;
    throw new Error(
      `${dataDir} is no folder that can be written to (${why}).\nSet DATA_DIR to one that can.`,
      { cause },
    );
  }
}
