import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../platform/make-folder.ts';
import { tryLock } from '../process/pid-file.ts';

export interface DemoClient {
  clientId: string;
  clientSecret: string;
  endpointId: string;
  webhookSecret: string;
  /** The address that its webhook endpoint was registered with. */
  hookUrl: string;
}

interface StoredState {
  client?: DemoClient;
  /** The client of a start that ended before its endpoint was registered. */
  createdClient?: Pick<DemoClient, 'clientId' | 'clientSecret'>;
  /** SHA-256 of the demo data that the database holds. */
  demoData?: string;
}

export type StackState = ReturnType<typeof openStackState>;

/**
 * What the next start on the same folder and the same database reuses. State that was stored for a
 * database of another name is dropped.
 */
export function openStackState(dataDir: string, databaseName: string) {
  const file = path.join(dataDir, 'kept.json');
  const database = createHash('sha256').update(databaseName).digest('hex');
  const stored = readPrivateJson(file) as { database?: string; kept?: StoredState };
  const kept: StoredState = stored.database === database ? (stored.kept ?? {}) : {};
  return {
    kept,
    keep(change: StoredState): void {
      Object.assign(kept, change);
      writePrivate(file, JSON.stringify({ database, kept }, null, 2));
    },
  };
}

/** A data folder that lost its database must not go on with an empty one beside the workflows of the leads that it held. */
export function assertKnownDatabase(dataDir: string, cluster: string): void {
  const known = fs.existsSync(path.join(dataDir, 'kept.json'));
  if (!known || fs.lstatSync(cluster, { throwIfNoEntry: false })) return;
  throw new Error(
    `${dataDir} was used with a database that is not in it: ${cluster} is missing.\n` +
      'Put it back, or set DATABASE_URL as before if it was another Postgres. ' +
      `To begin with an empty one, delete ${path.join(dataDir, 'temporal')} and ${path.join(dataDir, 'kept.json')}.`,
  );
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
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.new`;
  fs.writeFileSync(draft, text, { mode: 0o600 });
  fs.renameSync(draft, file);
}

const readPrivate = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null);

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

/** Within the project's folder, where `DATA_DIR` names no other one. */
export const DEFAULT_DATA_DIR = '.data';

/** Exists while a stack runs on the folder. */
export const addressFile = (dataDir: string) => path.join(dataDir, 'stack.json');
/** What it said of the stack that ran last. */
export const lastAddressFile = (dataDir: string) => path.join(dataDir, 'last-stack.json');

/** An API and a worker that hang are given half a minute each. */
const LONGEST_STOP_MS = 75_000;
const LONGEST_STOP_NOTICE_MS = 2_000;

/** Holds one file per running program of the stack. */
export const runningFolder = (dataDir: string) => path.join(dataDir, 'running');

/**
 * Locks the data folder and returns the function that releases it. Waits for a stack that is stopping;
 * throws when another one runs.
 */
export async function takeFolder(dataDir: string): Promise<() => void> {
  makePrivate(dataDir);
  const since = Date.now();
  for (;;) {
    const lock = tryLock(path.join(dataDir, 'lock'));
    if (lock.isMine) return lock.release;
    const isUp = fs.existsSync(addressFile(dataDir));
    if (Date.now() - since > (isUp ? LONGEST_STOP_NOTICE_MS : LONGEST_STOP_MS)) {
      throw new Error(
        `${dataDir} is in use by a stack that runs as process ${lock.heldBy}.\n` +
          'Stop that one, or set DATA_DIR to another folder (and PORT to another port).',
      );
    }
    await sleep(200);
  }
}

/** Logs and databases in it hold personal data. */
function makePrivate(dataDir: string): void {
  try {
    makeFolder(dataDir);
    const isSticky = fs.statSync(dataDir).mode & 0o1000; // as /tmp is
    if (isSticky) throw new Error('shared with other users');
    fs.chmodSync(dataDir, 0o700);
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isDangling = code === 'EEXIST' && !fs.existsSync(dataDir);
    const why = isDangling ? 'a link to what is not there' : (code ?? message);
    throw new Error(
      `${dataDir} is no folder that can be written to (${why}).\nSet DATA_DIR to one that can.`,
      { cause },
    );
  }
}

/** Postgres makes the next file of its write-ahead log, 16 MB, before it goes on. */
const NEEDED_BYTES = 32 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** A sentence on each disk of these folders that is full, or nearly. */
export function describeFullDisks(folders: readonly string[]): string[] {
  const seen = new Set<number>();
  return folders.flatMap((folder) => {
    const disk = readDisk(folder);
    if (disk === null || seen.has(disk.id) || disk.freeBytes >= NEEDED_BYTES) return [];
    seen.add(disk.id);
    const free = (disk.freeBytes / MEGABYTE).toFixed(1);
    return `The disk of ${folder} is full (${free} MB are free, ${NEEDED_BYTES / MEGABYTE} are needed): make room there. What was stored is kept.`;
  });
}

/** Null where there is no such folder. */
function readDisk(folder: string): { id: number; freeBytes: number } | null {
  try {
    const { bavail, bsize, files, ffree } = fs.statfsSync(folder);
    const hasNames = files === 0 || ffree > 0; // some file systems do not count them
    return { id: fs.statSync(folder).dev, freeBytes: hasNames ? bavail * bsize : 0 };
  } catch {
    return null;
  }
}
