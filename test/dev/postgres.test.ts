import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startPostgres, type Postgres } from '../../dev/postgres.ts';
import { waitUntil } from '../../dev/wait-until.ts';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';
import { hasEnded, spawnParent, startParent } from './support.ts';

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

async function query(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function keepAnswer({ superuserUrl, stop }: Postgres): Promise<void> {
  await query(superuserUrl, 'create table kept as select 42 as answer');
  await stop();
}

async function findAnswer({ superuserUrl, stop }: Postgres): Promise<void> {
  expect(await query(superuserUrl, 'table kept')).toEqual([{ answer: 42 }]);
  await stop();
}

/** Whether the folder of a cluster in the making has something in it. */
function isAtIt(place: string): boolean {
  const drafts = readdirSync(place, { withFileTypes: true });
  return drafts.some(
    (each) => each.isDirectory() && readdirSync(path.join(place, each.name)).includes('global'),
  );
}

describe('the embedded Postgres', () => {
  asRoot('runs as another account, in a folder that only root can reach', async () => {
    chmodSync(folder, 0o700);
    const server = await start();
    expect(statSync(`/proc/${server.pid}`).uid).not.toBe(0);
    expect(lstatSync(dataDir).isDirectory()).toBe(true);
  });

  asRoot('gives a cluster that was unpacked as root’s to its account', async () => {
    await keepAnswer(await start());
    await runProgram('chown', ['-R', '0:0', dataDir]);
    await findAnswer(await start());
  });

  asRoot('moves in what an earlier release kept in another place', async () => {
    await keepAnswer(await start());
    const base = mkdtempSync('/var/tmp/lead-intake-postgres-');
    await runProgram('mv', [dataDir, path.join(base, 'data')]);
    symlinkSync(path.join(base, 'data'), dataDir);
    writeFileSync(path.join(base, 'linked-from'), dataDir);
    const copy = path.join(folder, 'copy');
    symlinkSync(path.join(base, 'data'), copy);
    await findAnswer(await start({ dataDir: copy }));
    expect(existsSync(base)).toBe(true);

    const moved = await start();
    expect(lstatSync(dataDir).isDirectory()).toBe(true);
    expect(existsSync(base)).toBe(false);
    await findAnswer(moved);
  });

  test('has its data in the folder: a copy and a renamed folder have them too, each its own', async () => {
    const original = await start();
    await query(original.superuserUrl, 'create table kept as select 42 as answer');
    await query(original.superuserUrl, 'checkpoint');
    await runProgram('cp', ['-a', folder, `${folder}-copy`]);
    await findAnswer(await start({ dataDir: path.join(`${folder}-copy`, 'postgres') }));
    expect(await query(original.superuserUrl, 'table kept')).toEqual([{ answer: 42 }]);

    await original.stop();
    renameSync(folder, `${folder}-renamed`);
    await findAnswer(await start({ dataDir: path.join(`${folder}-renamed`, 'postgres') }));
  });

  test('lets no second start into its folder, also where that is the target of a link', async () => {
    await startParent('postgres', folder);
    const link = path.join(newFolder(), 'link');
    symlinkSync(dataDir, link);
    for (const place of [dataDir, link])
      await expect(start({ dataDir: place })).rejects.toThrow(
        /postgres is in use by process \d+\.$/,
      );
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
    await expect(second).rejects.toThrow(`Port ${first.port} was not ready`);
  });

  test('stops when its parent is killed with -9, and its data are whole afterwards', async () => {
    const { parent, childPid } = await startParent('postgres', folder);
    parent.kill('SIGKILL');
    await hasEnded(childPid);
    const { superuserUrl } = await start();
    expect(await query(superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('starts while the initdb of a start that was killed is still at it', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const place = path.join(folder, String(round));
      const parent = spawnParent('postgres', place);
      await waitUntil(async () => assert(isAtIt(place)), { what: 'initdb' });
      parent.kill('SIGKILL');
      await once(parent, 'exit');
      const { superuserUrl, stop } = await start({ dataDir: path.join(place, 'postgres') });
      expect(await query(superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
      await stop();
    }
  });

  test('starts where the lock file of a dead server names another program', async () => {
    const first = await start();
    await first.kill();
    writeFileSync(path.join(dataDir, 'postmaster.pid'), `${process.pid}\n`);
    const { superuserUrl } = await start();
    expect(await query(superuserUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
