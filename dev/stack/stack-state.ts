import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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
