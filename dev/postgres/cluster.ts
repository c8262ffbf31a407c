import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { clusterPath, letIn, type Account } from './account.ts';

export const SUPERUSER = 'lead_intake';

// Trigrams of Arabic need a UTF-8 character type; macOS has no C.UTF-8.
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

export const DRAFT = '.new-';

interface NewCluster {
  folder: string;
  initdb: string;
  account: Account | null;
  /** Whether it must outlast a power cut. */
  durable: boolean;
}

/** Makes a cluster in `folder` unless one is there; gives its superuser's password. */
export async function ensureCluster(wanted: NewCluster): Promise<string> {
  const { folder, account } = wanted;
  const passwordFile = path.join(folder, 'superuser-password');
  if (!fs.existsSync(folder)) await makeCluster(wanted);
  letIn(folder, account);
  if (!fs.existsSync(passwordFile))
    throw new Error(`${folder} holds something that was not made here; move it away.`);
  fs.chmodSync(folder, 0o700); // Postgres refuses a copy that others can read
  return fs.readFileSync(passwordFile, 'utf8');
}

/** Built next to its place and moved there whole, so that an interrupted start leaves nothing half made. */
async function makeCluster({ folder, initdb, account, durable }: NewCluster): Promise<void> {
  const draft = fs.mkdtempSync(folder + DRAFT);
  const passwordFile = `${draft}.password`;
  fs.writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account) fs.chownSync(passwordFile, account.uid, account.gid);
  letIn(draft, account);
  await runInitdb({ initdb, account, folder: draft }, fs.openSync(passwordFile, 'r'), [
    '--pwfile=/dev/stdin', // the account may not be able to pass the folders above the file
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${LOCALE}`,
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]);
  fs.renameSync(passwordFile, path.join(draft, 'superuser-password'));
  fs.renameSync(draft, folder);
}

export type Target = Pick<NewCluster, 'folder' | 'initdb' | 'account'>;

/** Writes all of it to the disk. */
export const syncCluster = (cluster: Target) => runInitdb(cluster, 'ignore', ['--sync-only']);

async function runInitdb(
  { folder, initdb, account }: Target,
  stdin: number | 'ignore',
  args: readonly string[],
): Promise<void> {
  const child = spawn(initdb, [`--pgdata=${clusterPath(folder)}`, ...args], {
    ...account,
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: LOCALE },
    stdio: [stdin, 'ignore', 'pipe'],
  });
  if (stdin !== 'ignore') fs.closeSync(stdin);
  const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  if (code !== 0) throw new Error(`initdb failed in ${folder}:\n${said.trim()}`);
}
