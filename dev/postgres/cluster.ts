import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { processMark } from '../../platform/process-mark.ts';
import { tryLock, endEarlier } from '../process/pid-file.ts';
import { clusterPath, letIn, type Account } from './programs.ts';

/**
 * Where the cluster lies or will lie: `wanted`, or where a link of the user leads. Locks it by a file beside it, and ends
 * a server that a killed start left running on it.
 */
export async function takeCluster(wanted: string) {
  fs.mkdirSync(path.dirname(wanted), { recursive: true });
  const link = linkTarget(wanted);
  if (link !== null && !fs.existsSync(wanted))
    throw new Error(`${wanted} leads to ${link}, and nothing is there: put the database back.`);
  const folder = link === null ? wanted : fs.realpathSync(wanted);
  const lock = tryLock(`${folder}.lock`);
  if (!lock.isMine) throw new Error(`${folder} is in use by process ${lock.heldBy}.`);
  try {
    await clearLeftover(folder);
    sweepDrafts(folder);
    return { folder, release: lock.release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function draftsOf(folder: string): string[] {
  const parent = path.dirname(folder);
  const isDraft = (name: string) => name.startsWith(path.basename(folder) + DRAFT);
  const names = fs.existsSync(parent) ? fs.readdirSync(parent) : [];
  return names.filter(isDraft).map((name) => path.join(parent, name));
}

/** Null where there is no symbolic link. */
function linkTarget(place: string): string | null {
  const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? fs.readlinkSync(place) : null;
}

/** Those of starts that were killed: the initdb of one may even be at it, so each has a folder of its own. */
function sweepDrafts(folder: string): void {
  for (const draft of draftsOf(folder))
    fs.rmSync(draft, { recursive: true, force: true, maxRetries: 10 });
}

/**
 * Ends the server that still runs on this folder, and removes a lock file that names another program: one that has got its
 * process id since, or the server of the folder that this one was copied from.
 */
async function clearLeftover(folder: string): Promise<void> {
  const lockFile = path.join(folder, 'postmaster.pid');
  if (!fs.existsSync(lockFile)) return;
  const pid = Number(fs.readFileSync(lockFile, 'utf8').split('\n')[0]);
  if (isServerOf(folder, pid)) await endEarlier('Postgres', processMark(pid), 'SIGINT');
  else fs.rmSync(lockFile, { force: true });
}

function isServerOf(folder: string, pid: number): boolean {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(
        folder,
      );
    const [runsIn, own] = [fs.statSync(`/proc/${pid}/cwd`), fs.statSync(folder)];
    return runsIn.ino === own.ino && runsIn.dev === own.dev;
  } catch {
    return false; // it has ended, or is another user's
  }
}

export const SUPERUSER = 'lead_intake';

// Trigrams of Arabic need a UTF-8 character type; macOS has no C.UTF-8.
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

const DRAFT = '.new-';

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

async function runInitdb(
  { folder, initdb, account }: Omit<NewCluster, 'durable'>,
  stdin: number,
  args: readonly string[],
): Promise<void> {
  const child = spawn(initdb, [`--pgdata=${clusterPath(folder)}`, ...args], {
    ...account,
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: LOCALE },
    stdio: [stdin, 'ignore', 'pipe'],
  });
  fs.closeSync(stdin);
  const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  if (code !== 0) throw new Error(`initdb failed in ${folder}:\n${said.trim()}`);
}
