import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';

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
