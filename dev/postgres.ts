import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { freePort } from './ports.ts';
import { clusterPath, ensureCluster, postgresAccount, SUPERUSER } from './postgres/cluster.ts';
import { postgresPrograms } from './postgres/programs.ts';
import { startSupervised, waitUntilReady } from './process/supervised.ts';
import { waitUntil } from './wait-until.ts';

interface PostgresOptions {
  /** Only one process at a time may start a server in it. */
  dataDir: string;
  port?: number;
  /** False: faster, but a power cut loses data. */
  durable?: boolean;
  logFile?: string;
  pidFile?: string;
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

const DATABASE = 'lead_intake';
// `migrate` has the same names, and creates the second role.
const OWNER = `${DATABASE}_owner`;
const SERVICE = `${DATABASE}_service`;

export async function startPostgres(options: PostgresOptions) {
  const { durable = true, port = await freePort() } = options;
  const wanted = path.resolve(options.dataDir);
  const folder = fs.existsSync(wanted) ? fs.realpathSync(wanted) : wanted;
  const account = postgresAccount(folder);
  const programs = postgresPrograms(account, folder);
  const initdb = path.join(programs, 'initdb');
  const password = await ensureCluster({ folder, initdb, account, durable });
  // Every password follows from the superuser's, so none of the others needs to be stored.
  const derived = (role: string) => createHmac('sha256', password).update(role).digest('base64url');
  const urlOf = (role: string, secret = derived(role), database = DATABASE) =>
    `postgresql://${role}:${secret}@127.0.0.1:${port}/${database}`;
  const create = () => createOnce(urlOf(SUPERUSER, password, 'postgres'), derived(OWNER));

  async function start() {
    const started = await startSupervised({
      name: 'postgres',
      command: path.join(programs, 'postgres'),
      args: ['-D', clusterPath(folder), ...serverArguments(port, durable)],
      env: { PATH: '/usr/bin:/bin' },
      logFile: options.logFile ?? `${folder}.log`,
      pidFile: options.pidFile,
      cwd: folder,
      ...account,
      stopSignal: 'SIGINT', // fast shutdown: closes connections, loses nothing
    });
    await waitUntilReady(started, create, { what: 'Postgres' });
    return started;
  }

  const server = await waitUntil(start, {
    what: 'The memory of a killed Postgres',
    abandon: (error) => (isMemoryInUse(error) ? undefined : (error as Error).message),
  });
  const superuserUrl = urlOf(SUPERUSER, password);
  return { ...server, port, superuserUrl, ownerUrl: urlOf(OWNER), serviceUrl: urlOf(SERVICE) };
}

/** The processes of a server that was killed by SIGKILL take a moment to end. */
const isMemoryInUse = (error: unknown) =>
  (error as Error).message.includes('pre-existing shared memory block');

async function createOnce(connectionString: string, ownerPassword: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
    const owner = await client.query('select from pg_roles where rolname = $1', [OWNER]);
    if (owner.rowCount === 0)
      await client.query(`create role ${OWNER} login password '${ownerPassword}'`);
  } finally {
    await client.end();
  }
}

/** Modest enough for a laptop that runs other programs. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  jit: 'off',
  // The log would quote a violated key, and keys are phones and emails.
  log_error_verbosity: 'terse',
  io_method: 'sync',
};
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

function serverArguments(port: number, durable: boolean): string[] {
  const all = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE), port: String(port) };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
