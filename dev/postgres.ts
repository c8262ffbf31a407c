import path from 'node:path';
import pg from 'pg';
import { postgresAccount } from './postgres/account.ts';
import { postgresBinaries } from './postgres/binaries.ts';
import { ensureCluster, SUPERUSER } from './postgres/cluster.ts';
import { reachableFolder } from './postgres/data-folder.ts';
import { clearLeftover } from './postgres/leftover.ts';
import { settings } from './postgres/settings.ts';
import { freePort } from './ports.ts';
import { startGuarded, type GuardedProcess } from './process/supervised.ts';
import { lastLines } from './process/log-file.ts';
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
  process: GuardedProcess;
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
  const server = await startGuarded({
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

async function createDatabaseOnce(server: GuardedProcess, url: string): Promise<void> {
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
