import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { startPostgres, type Postgres } from '../../dev/postgres.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { newFolder } from '../support/folder.ts';
import { findAnswer, hasEnded, query, startParent } from './support.ts';

const asRoot = process.getuid?.() === 0 ? test : test.skip;

let folder: string;
let dataDir: string;
let running: Postgres[] = [];

beforeEach(() => {
  folder = newFolder();
  dataDir = path.join(folder, 'postgres');
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  running = [];
});

async function start(options: { dataDir: string; port?: number } = { dataDir }): Promise<Postgres> {
  const server = await startPostgres(options);
  running.push(server);
  return server;
}

describe('the embedded Postgres', () => {
  asRoot('runs as another account, in a folder that only root can reach', async () => {
    chmodSync(folder, 0o700);
    const server = await start();
    expect(statSync(`/proc/${server.pid}`).uid).not.toBe(0);
    expect(lstatSync(dataDir).isDirectory()).toBe(true);
  });

  test('touches nothing in a folder that it did not make', async () => {
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, 'base'), 'of somebody');
    await expect(start()).rejects.toThrow('holds something that was not made here; move it away.');
    expect(readdirSync(dataDir)).toEqual(['base']);
  });

  test('has an owner of the schema who is no superuser', async () => {
    const { ownerUrl } = await start();
    const [role] = await query(
      ownerUrl,
      'select rolsuper from pg_roles where rolname = current_user',
    );
    expect(role).toEqual({ rolsuper: false });
  });

  test('goes on with the data of an earlier start, on the same port', async () => {
    const first = await start();
    await query(first.superuserUrl, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start({ dataDir, port: first.port });
    expect(second.superuserUrl).toBe(first.superuserUrl);
    await findAnswer(second);
  });

  test('is durable and finds trigrams in Arabic', async () => {
    const { superuserUrl } = await start();
    expect(await query(superuserUrl, 'show fsync')).toEqual([{ fsync: 'on' }]);
    await query(superuserUrl, 'create extension pg_trgm');
    const [row] = await query(superuserUrl, `select cardinality(show_trgm('دبي')) as count`);
    expect(row?.['count']).toBeGreaterThan(0);
  });

  test('logs no value of a rejected row, which may be a person’s', async () => {
    const { superuserUrl } = await start();
    await query(superuserUrl, 'create table keys (phone text unique)');
    await query(superuserUrl, `insert into keys select '+971501234567'`);
    const again = query(superuserUrl, 'insert into keys select phone from keys');
    await expect(again).rejects.toThrow('duplicate key');
    const log = readFileSync(`${dataDir}.log`, 'utf8');
    expect(log).toContain('duplicate key');
    expect(log).not.toContain('971501234567');
  });

  test('lets nobody in without the password', async () => {
    const { superuserUrl } = await start();
    const url = new URL(superuserUrl);
    url.password = 'guess';
    await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('takes no other port than the one asked for', async () => {
    const first = await start();
    const second = start({ dataDir: path.join(folder, 'other'), port: first.port });
    await expect(second).rejects.toThrow(/ended while starting:.*Address already in use/s);
  });

  test('stops when its parent is killed with -9, and its data are whole afterwards', async () => {
    const { parent, childPid } = await startParent('postgres', folder);
    parent.kill('SIGKILL');
    await hasEnded(childPid);
    const { superuserUrl } = await start();
    expect(await query(superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts where the lock file of a dead server names another program', async () => {
    const first = await start();
    await first.kill();
    writeFileSync(path.join(dataDir, 'postmaster.pid'), `${process.pid}\n`);
    const { superuserUrl } = await start();
    expect(await query(superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('waits for the processes of a killed server, which use its memory until they end', async () => {
    const first = await start();
    const client = new pg.Client({ connectionString: first.superuserUrl });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    await first.kill();
    const second = start();
    const isRefused = async () =>
      expect(readFileSync(first.logFile, 'utf8')).toContain('pre-existing shared memory block');
    await waitUntil(isRefused, { what: 'A refused start' }).finally(() =>
      process.kill(pid, 'SIGCONT'),
    );
    expect(await query((await second).superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await client.end();
  });
});
