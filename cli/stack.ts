import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { markOf } from '../platform/process-mark.ts';
import { shellWord } from '../platform/shell-word.ts';
import { withoutTemporalServer } from '../platform/temporal-settings.ts';

export type Variables = Record<string, string | undefined>;

export interface Stack {
  folder: string;
  /** False: it was stopped, and its addresses are those that it had. */
  isUp: boolean;
  hasPostgres: boolean;
  /** The beginning of each line of Temporal's own command; null where the Temporal server is not its own. */
  temporalCli: string | null;
  /** The line that starts it as it was started; a shell that lacks one of its secrets names it, and starts nothing. */
  startLine: string;
}

/** What `stack.json` says; `settings` and `startedWith` are variables that the stack was started with. */
type Addresses = {
  isUp: boolean;
  settings?: Record<string, string>;
  startedWith?: Record<string, string>;
  startedWithSecrets?: string[];
  temporalCli?: string | null;
} & Record<
  | 'databaseUrl'
  | 'ownerDatabaseUrl'
  | 'opsUrl'
  | 'workerOpsUrl'
  | 'temporalAddress'
  | 'temporalUiUrl',
  string | undefined
>;

/** The stack in the folder, and the variables that connect to it; null where there is none or no key to it. */
export async function findStack(folder: string, variables: Variables) {
  const running = (await isCopy(folder)) ? null : await readAddresses(folder, 'stack.json', true);
  const addresses = running ?? (await readAddresses(folder, 'last-stack.json', false));
  // The file does not exist when the stack was started with SECRETS_KEY set.
  const secretsKey = variables.SECRETS_KEY ?? (await readText(folder, 'secrets.key'))?.trim();
  if (!addresses || !secretsKey) return null;
  const { isUp, settings, startedWith, startedWithSecrets, temporalCli = null } = addresses;
  const variablesAtStart = { DATA_DIR: path.resolve(folder), ...startedWith, ...settings };
  const stack: Stack = {
    folder,
    isUp,
    hasPostgres: existsSync(path.join(folder, 'postgres')),
    temporalCli,
    startLine: startLine(variablesAtStart, startedWithSecrets),
  };
  const found: Variables = {
    ...settings,
    // A server that the stack started needs none of the settings that the shell has for another one.
    ...(addresses.temporalUiUrl ? withoutTemporalServer(variables) : variables),
    DATABASE_URL: addresses.databaseUrl,
    MIGRATE_DATABASE_URL: addresses.ownerDatabaseUrl,
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    API_OPS_URL: addresses.opsUrl,
    WORKER_OPS_URL: addresses.workerOpsUrl,
    SECRETS_KEY: secretsKey,
  };
  return { stack, found };
}

async function readAddresses(folder: string, file: string, isUp: boolean) {
  try {
    return { ...(JSON.parse((await readText(folder, file)) ?? '') as Addresses), isUp };
  } catch {
    return null;
  }
}

/** Whether it is a copy of the folder of a stack that ran, to which its `stack.json` leads. */
async function isCopy(folder: string): Promise<boolean> {
  const lock = await readText(folder, 'lock');
  return lock !== null && markOf(path.join(folder, 'lock'), lock) === '';
}

const readText = (folder: string, file: string) =>
  readFile(path.join(folder, file), 'utf8').catch(() => null);

function startLine(variables: Record<string, string>, secrets: readonly string[] = []): string {
  const words = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`);
  const fromShell = secrets.map((name) => `${name}="\${${name}:?}"`);
  return [...words, ...fromShell, 'npm start'].join(' ');
}
