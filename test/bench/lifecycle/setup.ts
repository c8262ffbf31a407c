import path from 'node:path';
import { freePort } from '../../../dev/ports.ts';
import { startTemporal, type Temporal } from '../../../dev/temporal.ts';
import { startProgram, type Program } from './program.ts';
import type { Agency } from './agency.ts';
import { API_ENTRY, WORKER_ENTRY } from './settings.ts';

/** What all rounds share. */
export interface LifecycleSetup {
  /** Takes the data and logs of every round. */
  folder: string;
  temporalBinary: string;
  /** Makes a database of a round's own from another one that nobody uses. */
  copyDatabase(url: string, name: string): Promise<string>;
  /** A migrated, empty database that nobody uses. */
  emptyDatabase: string;
  receiverUrl: string;
}

/** A server of the round's own: the open timers of earlier rounds burden none. */
export function startRoundTemporal(
  { folder, temporalBinary }: LifecycleSetup,
  round: string,
): Promise<Temporal> {
  return startTemporal({ binary: temporalBinary, dataDir: path.join(folder, `temporal-${round}`) });
}

export interface ServiceOptions {
  folder: string;
  round: string;
  agency: Agency;
  databaseUrl: string;
  temporalAddress: string;
  /** Besides those that every service needs. */
  variables?: Record<string, string>;
}

function serviceVariables({ agency, databaseUrl, temporalAddress, variables }: ServiceOptions) {
  return {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    SECRETS_KEY: agency.secretsKey,
    WEBHOOK_ALLOW_PRIVATE: '1',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...variables,
  };
}

export async function startServiceWorker(options: ServiceOptions): Promise<Program> {
  const { folder, round } = options;
  const readyPort = await freePort();
  const memory = { MALLOC_ARENA_MAX: '2', NODE_OPTIONS: '--max-semi-space-size=8' }; // as in a container
  const env = { ...serviceVariables(options), ...memory, WORKER_OPS_PORT: String(readyPort) };
  return startProgram({ name: `worker-${round}`, folder, readyPort, entry: WORKER_ENTRY, env });
}

export async function startServiceApi(options: ServiceOptions): Promise<Program & { url: string }> {
  const { folder, round } = options;
  const [port, readyPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), OPS_PORT: String(readyPort) };
  const program = await startProgram({
    name: `api-${round}`,
    folder,
    readyPort,
    entry: API_ENTRY,
    env: { ...serviceVariables(options), ...ports },
  });
  return { ...program, url: `http://127.0.0.1:${port}/v2` };
}
