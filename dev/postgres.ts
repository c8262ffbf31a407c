import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { freePort } from './ports.ts';
import { clusterPath, postgresAccount } from './postgres/account.ts';
import { ensureCluster, SUPERUSER } from './postgres/cluster.ts';
import { postgresPrograms } from './postgres/programs.ts';
import { startSupervised, waitUntilReady } from './process/supervised.ts';
import { waitUntil } from './wait-until.ts';

interface PostgresOptions {
  /** Created when it is missing; the data in it are kept. One process at a time may start a server in it. */
  dataDir: string;
  /** Any free port unless it is given. */
  port?: number;
  /** False for tests: faster, and a power cut loses data. */
  durable?: boolean;
  logFile?: string;
  pidFile?: string;
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

const DATABASE = 'lead_intake';
const OWNER = `${DATABASE}_owner`; // as migrate names it
const SERVICE = `${DATABASE}_service`; // made by migrate

export async function startPostgres(options: PostgresOptions) {
  const { durable = true, port = await freePort(), pidFile } = options;
  const wanted = path.resolve(options.dataDir);
  const folder = fs.existsSync(wanted) ? fs.realpathSync(wanted) : wanted; // where a link of the user leads
  const account = postgresAccount(folder);
  const programs = postgresPrograms(account, folder);
  const initdb = path.join(programs, 'initdb');
  const password = await ensureCluster({ folder, initdb, account, durable });
  const program = {
    name: 'postgres',
    command: path.join(programs, 'postgres'),
    args: ['-D', clusterPath(folder), ...serverArguments(port, durable)],
    env: { PATH: '/usr/bin:/bin' },
    logFile: options.logFile ?? `${folder}.log`,
    pidFile,
    cwd: folder,
    ...account,
    stopSignal: 'SIGINT', // fast shutdown: connections are closed, nothing is lost
  } as const;
  // Whoever knows the superuser's password needs no other one.
  const derived = (role: string) => createHmac('sha256', password).update(role).digest('base64url');
  const urlOf = (role: string, secret = derived(role), database = DATABASE) =>
    `postgresql://${role}:${secret}@127.0.0.1:${port}/${database}`;
  const create = () => createOnce(urlOf(SUPERUSER, password, 'postgres'), derived(OWNER));
  const server = await onceUnused(async () => {
    const started = await startSupervised(program);
    await waitUntilReady(started, create, { what: 'Postgres' });
    return started;
  });
  const superuserUrl = urlOf(SUPERUSER, password);
  return { ...server, port, superuserUrl, ownerUrl: urlOf(OWNER), serviceUrl: urlOf(SERVICE) };
}

/** Starts a server again while processes of one killed with -9, which take a moment to end, use its memory. */
const onceUnused = <T>(start: () => Promise<T>) =>
  waitUntil(start, {
    what: 'The memory of a killed Postgres',
    timeoutMs: 30_000,
    everyMs: 100,
    abandon(error) {
      const { message } = error as Error;
      return message.includes('pre-existing shared memory block') ? undefined : message;
    },
  });

/** The database, and the owner of its schema. */
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
  // The log would quote a violated key, and keys are phones and e-mails.
  log_error_verbosity: 'terse',
  io_method: 'sync',
};
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

function serverArguments(port: number, durable: boolean): string[] {
  const all = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE), port: String(port) };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
