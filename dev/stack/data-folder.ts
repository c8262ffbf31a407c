import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { tryLock } from '../process/lock.ts';
import { waitUntil } from '../wait-until.ts';

export interface DemoClient {
  clientId: string;
  clientSecret: string;
  endpointId: string;
  webhookSecret: string;
  /** The address that its webhook endpoint was registered with. */
  hookUrl: string;
}

interface StoredState {
  client?: DemoClient | undefined;
  /** SHA-256 of the demo data that the database holds. */
  demoData?: string;
}

/** What the next start on the same folder and the same database reuses. */
export interface StackState {
  get<Name extends keyof StoredState>(name: Name): StoredState[Name];
  set<Name extends keyof StoredState>(name: Name, value: StoredState[Name]): void;
}

/** State that was stored for a database of another name is dropped. */
export function openStackState(dataDir: string, databaseName: string): StackState {
  const file = path.join(dataDir, 'kept.json');
  const database = createHash('sha256').update(databaseName).digest('hex');
  const stored = readPrivateJson(file) as { database?: string; kept?: StoredState };
  const kept: StoredState = stored.database === database ? (stored.kept ?? {}) : {};
  return {
    get: (name) => kept[name],
    set(name, value) {
      kept[name] = value;
      writePrivate(file, JSON.stringify({ database, kept }, null, 2));
    },
  };
}

/** The key that encrypts secrets in the database; created at the first start. */
export function secretsKey(dataDir: string): string {
  const file = path.join(dataDir, 'secrets.key');
  const existing = readPrivate(file)?.trim();
  if (existing) return existing;
  const created = randomBytes(32).toString('hex');
  writePrivate(file, `${created}\n`);
  return created;
}

/** Writes atomically, with no permission for other users: these files hold secrets. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

function readPrivate(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** An empty object where the file does not exist. */
export function readPrivateJson(file: string): unknown {
  const text = readPrivate(file);
  if (text === null) return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged: delete it, and what it says is found or made anew.`, {
      cause,
    });
  }
}

/** Exists while a stack runs on the folder. */
export const addressFile = (dataDir: string) => path.join(dataDir, 'stack.json');

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
