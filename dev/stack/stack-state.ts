import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { readPrivate, readPrivateJson, writePrivate } from './folder.ts';

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
  /** Fingerprint of the demo data that the database holds. */
  demoData?: string;
}

/** What a later start on the same folder and the same database goes on with. */
export interface StackState {
  get<Name extends keyof StoredState>(name: Name): StoredState[Name];
  set<Name extends keyof StoredState>(name: Name, value: StoredState[Name]): void;
}

/** `databaseName` tells one database from another; what was kept for another one is dropped. */
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

/** Made at the first start: it encrypts what the database holds encrypted. */
export function secretsKey(dataDir: string): string {
  const file = path.join(dataDir, 'secrets.key');
  const known = readPrivate(file)?.trim();
  if (known) return known;
  const made = randomBytes(32).toString('hex');
  writePrivate(file, `${made}\n`);
  return made;
}
