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
const DRAFT = '.new-';

interface Cluster {
  folder: string;
  initdb: string;
  account: Account | null;
  /** Whether it must outlast a power cut. */
  durable: boolean;
}

/** Makes a cluster in `folder` unless one is there; gives its superuser's password. */
export async function ensureCluster(cluster: Cluster): Promise<string> {
  const { folder, account } = cluster;
  sweepDrafts(folder);
  if (!fs.existsSync(folder)) await makeCluster(cluster);
  letIn(folder, account);
  const passwordFile = path.join(folder, 'superuser-password');
  if (!fs.existsSync(passwordFile))
    throw new Error(`${folder} holds something that was not made here; move it away.`);
  fs.chmodSync(folder, 0o700); // Postgres refuses a copy that others can read
  // It may name the server of the folder that this one was copied from, or what has its process id by now.
  fs.rmSync(path.join(folder, 'postmaster.pid'), { force: true });
  return fs.readFileSync(passwordFile, 'utf8');
}

/** Those of starts that were killed: the initdb of one may even be at it, so each has a folder of its own. */
function sweepDrafts(folder: string): void {
  const parent = path.dirname(folder);
  fs.mkdirSync(parent, { recursive: true });
  for (const name of fs.readdirSync(parent))
    if (name.startsWith(path.basename(folder) + DRAFT))
      fs.rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 10 });
}

/** Built next to its place and moved there whole, so that an interrupted start leaves nothing half made. */
async function makeCluster({ folder, initdb, account, durable }: Cluster): Promise<void> {
  const draft = fs.mkdtempSync(folder + DRAFT);
  const passwordFile = `${draft}.password`;
  fs.writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (account) fs.chownSync(passwordFile, account.uid, account.gid);
  letIn(draft, account);
  const password = fs.openSync(passwordFile, 'r');
  const args = [
    `--pgdata=${clusterPath(draft)}`,
    '--pwfile=/dev/stdin', // the account may not be able to pass the folders above the file
    `--username=${SUPERUSER}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${LOCALE}`,
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  const env = { PATH: '/usr/bin:/bin', LC_ALL: LOCALE };
  const stdio = [password, 'ignore' as const, 'pipe' as const];
  const child = spawn(initdb, args, { ...account, cwd: draft, env, stdio });
  fs.closeSync(password);
  const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  if (code !== 0) throw new Error(`initdb failed in ${draft}:\n${said.trim()}`);
  fs.renameSync(passwordFile, path.join(draft, 'superuser-password'));
  fs.renameSync(draft, folder);
}
