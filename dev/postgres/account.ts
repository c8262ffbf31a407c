import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';

export interface Account {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root. Null: run it as ourselves. A cluster keeps its owner; a new one, or one
 * that was unpacked as root's, gets the account "postgres" or "nobody".
 */
export function postgresAccount(cluster?: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const owner = cluster ? fs.statSync(cluster, { throwIfNoEntry: false }) : undefined;
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

/** The server is started in it: another account need not be able to pass the folders above, such as /root. */
export const clusterPath = (folder: string) =>
  process.platform === 'linux' ? '/proc/self/cwd' : folder;

/** Gives the folder to the account, and throws with the reason where its server could not work in it. */
export function letIn(folder: string, account: Account | null): void {
  if (account === null) return;
  try {
    if (fs.statSync(folder).uid !== account.uid)
      execFileSync('chown', ['-hR', `${account.uid}:${account.gid}`, folder], { stdio: 'pipe' });
    const options = { ...account, cwd: folder, stdio: 'pipe' } as const;
    execFileSync('/bin/sh', ['-c', 'test -w "$0/."', clusterPath(folder)], options);
  } catch (cause) {
    throw new Error(
      `Postgres does not run as root, and its account (uid ${account.uid}) cannot be let into ${folder}.\n` +
        'Set DATA_DIR to a folder on a local disk, or start as another user.',
      { cause },
    );
  }
}
