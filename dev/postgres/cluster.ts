import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const SUPERUSER = 'lead_intake';

export interface Account {
  uid: number;
  gid: number;
}

/**
 * Postgres refuses to run as root. Null: run it as the current user. A cluster keeps its owner. A new cluster, or one
 * that root unpacked, gets the account "postgres" or "nobody".
 */
export function postgresAccount(cluster: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const owner = fs.statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = fs.readFileSync('/etc/passwd', 'utf8');
  const [, uid, gid] = /^(?:postgres|nobody):[^:]*:(-?\d+):(-?\d+)/m.exec(accounts) ?? [];
  if (uid && gid) return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  throw new Error(
    'Postgres does not run as root, and there is no account "postgres" or "nobody" to run it as.\n' +
      'Start as another user, or start a Postgres and give its address in DATABASE_URL.',
  );
}

/** The server's working directory: its account may lack access to the folders above, such as /root. */
export const clusterPath = (folder: string) =>
  process.platform === 'linux' ? '/proc/self/cwd' : folder;

/** Gives the folder to the account. Throws if a server of the account could not work in it. */
function giveTo(account: Account | null, folder: string): void {
  if (account === null) return;
  try {
    if (fs.statSync(folder).uid !== account.uid)
      execFileSync('chown', ['-hR', `${account.uid}:${account.gid}`, folder], { stdio: 'pipe' });
    const options = { ...account, cwd: folder, stdio: 'pipe' } as const;
    execFileSync('/bin/sh', ['-c', 'test -w "$0/."', clusterPath(folder)], options);
  } catch (cause) {
    const text = `Postgres does not run as root, and account ${account.uid} cannot write to ${folder}.`;
    const advice = 'Set DATA_DIR to a folder on a local disk, or start as another user.';
    throw new Error(`${text}\n${advice}`, { cause });
  }
}

interface Cluster {
  folder: string;
  initdb: string;
  account: Account | null;
  durable: boolean;
}

/** Creates the cluster unless it exists. Returns the password of its superuser. */
export async function ensureCluster(cluster: Cluster): Promise<string> {
  const { folder, account } = cluster;
  if (!fs.existsSync(folder)) await createCluster(cluster);
  giveTo(account, folder);
  const passwordFile = path.join(folder, PASSWORD_FILE);
  if (!fs.existsSync(passwordFile))
    throw new Error(`${folder} holds something that was not made here; move it away.`);
  fs.chmodSync(folder, 0o700); // Postgres refuses a copy that others can read
  // In a copied folder it refers to the server of the original, or to another process that has the id by now.
  fs.rmSync(path.join(folder, 'postmaster.pid'), { force: true });
  return fs.readFileSync(passwordFile, 'utf8');
}

const PASSWORD_FILE = 'superuser-password';

// Trigrams of Arabic need a UTF-8 character type; macOS has no C.UTF-8.
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
// The shell makes a pipe that the account may open by name. A pipe of this process would belong to root.
const INITDB = 'printf %s "$PASSWORD" | "$0" --pwfile=/dev/stdin "$@"';

/** Renames a finished draft, so that an interrupted start leaves no incomplete cluster. */
async function createCluster({ folder, initdb, account, durable }: Cluster): Promise<void> {
  const draft = `${folder}.new`;
  fs.rmSync(draft, { recursive: true, force: true, maxRetries: 10 });
  fs.mkdirSync(draft, { recursive: true, mode: 0o700 });
  giveTo(account, draft);
  const args = [
    `--pgdata=${clusterPath(draft)}`,
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${LOCALE}`,
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  const password = randomBytes(24).toString('base64url');
  const env = { PATH: '/usr/bin:/bin', LC_ALL: LOCALE, PASSWORD: password };
  const created = execute('/bin/sh', ['-c', INITDB, initdb, ...args], {
    ...account,
    cwd: draft,
    env,
  });
  await created.catch(({ stderr }: { stderr: string }) => {
    throw new Error(`initdb failed in ${draft}:\n${stderr.trim()}`);
  });
  fs.writeFileSync(path.join(draft, PASSWORD_FILE), password, { mode: 0o600 });
  fs.renameSync(draft, folder);
}
