import path from 'node:path';
import pg from 'pg';
import { freePort } from './ports.ts';
import { postgresAccount, postgresBinaries } from './postgres/binaries.ts';
import { SUPERUSER, ensureCluster } from './postgres/cluster.ts';
import { reachableFolder } from './postgres/data-folder.ts';
import { clearLeftover } from './postgres/leftover.ts';
import { lastLines } from './process/log-file.ts';
import { startSupervised } from './process/supervised.ts';
import type { SupervisedProcess } from './process/supervised.ts';
import { waitUntil } from './wait-until.ts';

export interface PostgresOptions {
  /** Made when it is missing; data in it are gone on with. */
  dataDir: string;
  /** Any free port when it is not given, or taken. */
  port?: number;
  /** False for tests: faster, and a power cut loses data. */
  durable?: boolean;
  logFile?: string;
}

export interface Postgres {
  databaseUrl: string;
  port: number;
  process: SupervisedProcess;
  stop(): Promise<void>;
}

const DATABASE = 'lead_intake';

/** Starts the embedded Postgres on loopback, with an empty database unless there was one before. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const wanted = path.resolve(options.dataDir);
  const account = postgresAccount();
  const { initdb, postgres } = postgresBinaries(account);
  const folder = reachableFolder(wanted, account);
  const password = await ensureCluster({ folder, initdb, account });
  await clearLeftover(folder);
  const port = await freePort(options.port);
  const server = await startSupervised({
    name: 'postgres',
    command: postgres,
    args: ['-D', folder, ...settings({ port, durable: options.durable ?? true })],
    env: { PATH: '/usr/bin:/bin' },
    logFile: options.logFile ?? `${wanted}.log`,
    cwd: '/',
    ...account,
    stopSignal: 'SIGINT', // fast shutdown: connections are ended, nothing is lost
  });
  const urlOf = (database: string) =>
    `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
  await createDatabaseOnce(server, urlOf('postgres')).catch(async (error: unknown) => {
    await server.kill();
    throw error;
  });
  return {
    databaseUrl: urlOf(DATABASE),
    port,
    process: server,
    stop: async () => void (await server.stop()),
  };
}

async function createDatabaseOnce(server: SupervisedProcess, url: string): Promise<void> {
  let hasEnded = false;
  void server.exited.then(() => (hasEnded = true));
  const ended = () =>
    hasEnded ? `Postgres ended while starting:\n${lastLines(server.logFile, 10)}` : undefined;
  const client = await waitUntil(() => connected(url), {
    what: 'Postgres',
    abandon: ended,
  });
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

const COMMON = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  jit: 'off',
  // A violated key would be quoted in the log, and keys are phones and e-mails.
  log_error_verbosity: 'terse',
  io_method: 'sync',
};

/** For tests, whose data nobody wants back. */
const FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Settings as arguments of `postgres`, modest enough for a laptop that has other things to do. */
export function settings(given: { port: number; durable: boolean }): string[] {
  const all = { ...COMMON, ...(given.durable ? {} : FORGETFUL), port: String(given.port) };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
