import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { freePort } from '../../../dev/ports.ts';
import { silentProgress } from '../../../dev/progress.ts';
import { startTemporal, type Temporal } from '../../../dev/temporal.ts';
import { locateTemporal } from '../../../dev/temporal/locate.ts';
import type { Place } from '../harness.ts';
import { startProgram, type Program } from './program.ts';
import type { Agency } from './agency.ts';
import type { Keep } from './stoppable.ts';

/** What all rounds share. */
export interface LifecycleSetup extends Place {
  temporalBinary: string;
  receiverUrl: string;
}

/** With a receiver of webhooks in a process of its own, until the end. */
export async function prepareSetup(keep: Keep, place: Place): Promise<LifecycleSetup> {
  const temporalBinary = await locateTemporal(place.env, silentProgress);
  const port = await freePort();
  const { folder } = place;
  const entry = 'test/bench/lifecycle/receiver.ts';
  await keep(
    startProgram({ name: 'receiver', folder, readyPort: port, entry, args: [String(port)] }),
  );
  return { ...place, temporalBinary, receiverUrl: `http://127.0.0.1:${port}` };
}

export async function openClient(keep: Keep, address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  await keep({ stop: () => connection.close() });
  return new Client({ connection });
}

export async function openDatabase(keep: Keep, connectionString: string): Promise<pg.Client> {
  const database = new pg.Client({ connectionString });
  await database.connect();
  await keep({ stop: () => database.end() });
  return database;
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
  return startProgram({
    name: `worker-${round}`,
    folder,
    readyPort,
    entry: 'worker/worker.ts',
    env,
  });
}

export async function startServiceApi(options: ServiceOptions): Promise<Program & { url: string }> {
  const { folder, round } = options;
  const [port, readyPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), OPS_PORT: String(readyPort) };
  const program = await startProgram({
    name: `api-${round}`,
    folder,
    readyPort,
    entry: 'api/server.ts',
    env: { ...serviceVariables(options), ...ports },
  });
  return { ...program, url: `http://127.0.0.1:${port}/v2` };
}
