import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { readPrivate, readPrivateJson, writePrivate } from './private-file.ts';

export interface DemoClient {
  clientId: string;
  clientSecret: string;
  endpointId: string;
  webhookSecret: string;
  /** The address that its webhook endpoint was registered with. */
  hookUrl: string;
}

interface Kept {
  client?: DemoClient | undefined;
  /** Fingerprint of the demo data that the database holds. */
  demoData?: string;
}

/** What a later start on the same folder and the same database goes on with. */
export interface Keepsakes {
  get<Name extends keyof Kept>(name: Name): Kept[Name];
  keep<Name extends keyof Kept>(name: Name, value: Kept[Name]): void;
}

/** `databaseName` tells one database from another; what was kept for another one is dropped. */
export function openKeepsakes(dataDir: string, databaseName: string): Keepsakes {
  const file = path.join(dataDir, 'kept.json');
  const database = createHash('sha256').update(databaseName).digest('hex');
  const stored = readPrivateJson(file) as { database?: string; kept?: Kept };
  const kept: Kept = stored.database === database ? (stored.kept ?? {}) : {};
  return {
    get: (name) => kept[name],
    keep(name, value) {
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
