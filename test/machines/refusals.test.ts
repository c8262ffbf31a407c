import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { freePort } from '../../dev/ports.ts';
import { newFolder } from '../support/folder.ts';
import { npmStart, postLead } from '../support/npm-start.ts';
import { environment, inFolder, root, withMounts, withOwnMounts } from './machine.ts';

/** With a lead in it. */
const used = path.join(newFolder(), 'used');
await startOn(used);

/** Starts, runs the statement as the schema's owner, and stops. */
async function startOn(dataDir: string, statement = 'select'): Promise<void> {
  const started = npmStart({ env: await environment(dataDir), dataDir });
  const at = await started.isUp();
  expect(await postLead(at, 'layla@example.com')).toMatchObject({
    status: 201,
    body: { merged: dataDir !== used },
  });
  const owner = new pg.Client({ connectionString: at.ownerDatabaseUrl });
  await owner.connect();
  await owner.query(statement);
  await owner.end();
  await started.interrupt();
}

function copyOfUsed(): string {
  const copy = path.join(newFolder(), 'copy');
  cpSync(used, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** What a start that ends by itself has printed. */
async function refusal(dataDir: string, others: NodeJS.ProcessEnv = {}, within: string[] = []) {
  const { ended, output } = npmStart({ env: await environment(dataDir, others), dataDir, within });
  expect(await ended).toEqual({ code: 1, signal: null });
  return output();
}

test('a folder in /proc is refused, at once', async () => {
  expect(await refusal('/proc/x')).toMatch(/\/proc\/x is no folder .*\(ENOENT\)\.\nSet DATA_DIR/);
});

test('a link that leads nowhere is refused, each time', async () => {
  const link = path.join(newFolder(), 'link');
  symlinkSync(path.join(newFolder(), 'missing'), link);
  const said = [await refusal(link), await refusal(link)];
  for (const each of said) expect(each).toMatch(/\(a link to what is not there\)/);
});

test.each(['PORT', 'OPS_PORT', 'WORKER_OPS_PORT'])('a taken %s is named', async (variable) => {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const said = await refusal(path.join(newFolder(), 'data'), { [variable]: String(port) });
  server.close();
  expect(said).toContain(`Port ${port} is taken. Set ${variable} to another one`);
});

test('a folder that lost its database is refused; with the database put back it goes on', async () => {
  const copy = copyOfUsed();
  const [cluster, aside] = [path.join(copy, 'postgres'), path.join(copy, 'aside')];
  renameSync(cluster, aside);
  expect(await refusal(copy)).toMatch(/postgres is missing\.\nPut it back, .*begin with an empty/);
  expect(existsSync(cluster)).toBe(false);
  renameSync(aside, cluster);
  await startOn(copy);
});

withMounts('programs that others could put where root’s are copied to are not run', async () => {
  const tmp = newFolder();
  const planted = path.join(tmp, `lead-intake-postgres-${process.getuid?.()}`);
  mkdirSync(planted);
  chmodSync(planted, 0o777);
  const checkout = path.join(newFolder(), '$HOME');
  mkdirSync(checkout);
  const { within, end } = await withOwnMounts('mount --bind "$0" "$1"', root, checkout);
  const enter = [...within, ...inFolder(checkout)];
  const said = await refusal(path.join(newFolder(), 'data'), { TMPDIR: tmp }, enter);
  await end();
  expect(said).toMatch(/other users can write to it\.\nRemove it, or set TMPDIR/);
});

test.each([
  ['of a later version', '9001-later', /Another version migrated this database, to 9001-later/],
  ['of before the baseline', '0002-lists', /Another version migrated this database, to 0002-lists/],
])('data %s are refused in a sentence', async (_, name, sentence) => {
  const copy = copyOfUsed();
  await startOn(copy, `insert into mikro_orm_migrations (name) values ('${name}')`);
  const said = await refusal(copy);
  expect(said).toMatch(sentence);
  expect(said).not.toMatch(/does not exist|Ready\./);
});
