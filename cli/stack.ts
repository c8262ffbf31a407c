import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { markOf } from '../platform/process-mark.ts';
import { shellWord } from '../platform/shell-word.ts';
import { withoutTemporalServer } from '../platform/temporal-settings.ts';

export type Variables = Record<string, string | undefined>;

export interface Stack {
  folder: string;
  /** False for a stopped stack, whose addresses are unknown. */
  isUp: boolean;
  hasPostgres: boolean;
  /** Null if the stack does not run its own Temporal server. */
  temporalCli: string | null;
  /** Starts the stack as it was started. */
  startLine: string;
}

/** The part of `stack.json` that leadctl reads. `kept.json` has only `startCommand`. */
interface Addresses {
  settings?: Record<string, string>;
  startCommand?: string;
  temporalCli?: string | null;
  databaseUrl?: string;
  ownerDatabaseUrl?: string;
  opsUrl?: string;
  workerOpsUrl?: string;
  temporalAddress?: string;
  temporalUiUrl?: string;
}

/** Null if the folder has no stack, or no key is known. */
export async function findStack(folder: string, variables: Variables) {
  const running = (await isCopy(folder)) ? null : await readAddresses(folder, 'stack.json');
  const addresses = running ?? (await readAddresses(folder, 'kept.json'));
  // The file is missing if the stack was started with SECRETS_KEY.
  const secretsKey = variables.SECRETS_KEY ?? (await readText(folder, 'secrets.key'))?.trim();
  if (!addresses || !secretsKey) return null;
  const { settings, startCommand = 'npm start', temporalCli = null } = addresses;
  const stack: Stack = {
    folder,
    isUp: running !== null,
    hasPostgres: existsSync(path.join(folder, 'postgres')),
    temporalCli,
    startLine: `DATA_DIR=${shellWord(path.resolve(folder))} ${startCommand}`,
  };
  const found: Variables = {
    ...settings,
    // Ignores settings for another server if the stack runs its own.
    ...(addresses.temporalUiUrl ? withoutTemporalServer(variables) : variables),
    DATABASE_URL: addresses.databaseUrl ?? 'postgres://stopped',
    MIGRATE_DATABASE_URL: addresses.ownerDatabaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    API_OPS_URL: addresses.opsUrl,
    WORKER_OPS_URL: addresses.workerOpsUrl,
    SECRETS_KEY: secretsKey,
  };
  return { stack, found };
}

async function readAddresses(folder: string, file: string): Promise<Addresses | null> {
  try {
    return JSON.parse((await readText(folder, file)) ?? '') as Addresses;
  } catch {
    return null;
  }
}

/** True for a copy of a running stack's folder, whose `stack.json` has the addresses of the original. */
async function isCopy(folder: string): Promise<boolean> {
  const lock = await readText(folder, 'lock');
  return lock !== null && markOf(path.join(folder, 'lock'), lock) === '';
}

const readText = (folder: string, file: string) =>
  readFile(path.join(folder, file), 'utf8').catch(() => null);
