import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { tryLock } from '../process/lock.ts';
import { addressFile } from './addresses.ts';
import { waitUntil } from '../wait-until.ts';

const LONGEST_STOP_MS = 15_000;
const LONGEST_STOP_NOTICE_MS = 2_000;

/** Holds one file per running program of the stack. */
export const runningFolder = (dataDir: string) => path.join(dataDir, 'running');

/**
 * Locks the data folder and returns the function that releases it. Waits for a stack that is stopping;
 * throws when another one runs.
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
    existsSync(addressFile(dataDir)) && Date.now() - since > LONGEST_STOP_NOTICE_MS;
  const inUse = () =>
    `${dataDir} is in use by a stack that runs as process ${heldBy}.\n` +
    'Stop that one, or set DATA_DIR to another folder (and PORT to another port).';
  const isLate = () => Date.now() - since > LONGEST_STOP_MS;
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
