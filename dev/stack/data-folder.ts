import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../process/pid-file.ts';

export const DEFAULT_DATA_DIR = '.data';

export const addressFile = (dataDir: string) => path.join(dataDir, 'stack.json');
/** Has a file for each running program of the stack. */
export const runningFolder = (dataDir: string) => path.join(dataDir, 'running');
const stateFile = (dataDir: string) => path.join(dataDir, 'kept.json');

export interface DemoClient {
  clientId: string;
  clientSecret: string;
  endpointId: string;
  webhookSecret: string;
  hookUrl: string;
}

interface StoredState {
  ports?: Record<string, number>;
  client?: DemoClient | undefined;
  /** The hash of the imported demo data. */
  demoData?: string | undefined;
  /** `leadctl status` shows it while the stack is stopped. */
  startCommand?: string;
}

export type State = ReturnType<typeof openState>;

export function openState(dataDir: string) {
  const stored = readState(dataDir);
  function keep(change: StoredState): void {
    Object.assign(stored, change);
    writePrivate(stateFile(dataDir), JSON.stringify(stored, null, 2));
  }
  return { stored, keep };
}

function readState(dataDir: string): StoredState {
  try {
    return JSON.parse(fs.readFileSync(stateFile(dataDir), 'utf8')) as StoredState;
  } catch {
    return {}; // a first start, or a power cut has emptied the file
  }
}

export function secretsKey(dataDir: string): string {
  const file = path.join(dataDir, 'secrets.key');
  if (!fs.existsSync(file)) writePrivate(file, `${randomBytes(32).toString('hex')}\n`);
  return fs.readFileSync(file, 'utf8').trim();
}

/** Writes atomically and for this user only, since these files hold secrets. */
export function writePrivate(file: string, text: string): void {
  const draft = `${file}.new`;
  fs.writeFileSync(draft, text, { mode: 0o600 });
  fs.renameSync(draft, file);
}

/** An API and a worker that hang get half a minute each. */
const LONGEST_STOP_MS = 75_000;
const LONGEST_STOP_NOTICE_MS = 2_000;

/** Waits for a stack that is stopping. Throws if another stack runs. */
export async function takeFolder(dataDir: string): Promise<() => void> {
  makePrivate(dataDir);
  const since = Date.now();
  for (;;) {
    const lock = tryLock(path.join(dataDir, 'lock'));
    if (lock.isMine) return lock.release;
    const isUp = fs.existsSync(addressFile(dataDir));
    if (Date.now() - since > (isUp ? LONGEST_STOP_NOTICE_MS : LONGEST_STOP_MS))
      throw new Error(
        `${dataDir} is in use by a stack that runs as process ${lock.heldBy}.\n` +
          'Stop that one, or set DATA_DIR to another folder (and PORT to another port).',
      );
    await sleep(200);
  }
}

/** Logs and databases in it hold personal data. */
function makePrivate(dataDir: string): void {
  try {
    fs.mkdirSync(dataDir, { recursive: true });
    const isSticky = fs.statSync(dataDir).mode & 0o1000; // as /tmp is
    if (isSticky) throw new Error('shared with other users');
    fs.chmodSync(dataDir, 0o700);
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const text = `${dataDir} is not a folder that can be written to (${code ?? message}).`;
    throw new Error(`${text}\nSet DATA_DIR to another folder.`, { cause });
  }
}

/** Postgres continues only after it has created the next file of its write-ahead log, 16 MB. */
const NEEDED_MEGABYTES = 32;

export function describeFullDisk(...folders: readonly string[]): string | undefined {
  for (const folder of folders.filter((each) => fs.existsSync(each))) {
    const { bavail, bsize, files, ffree } = fs.statfsSync(folder);
    const hasInodes = files === 0 || ffree > 0; // some file systems do not count them
    const megabytes = hasInodes ? (bavail * bsize) / 1024 / 1024 : 0;
    const figures = `${megabytes.toFixed(1)} MB are free, ${NEEDED_MEGABYTES} are needed`;
    if (megabytes < NEEDED_MEGABYTES)
      return `The disk of ${folder} is full (${figures}): make room there. What was stored is kept.`;
  }
  return undefined;
}
