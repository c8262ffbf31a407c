import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { Account } from './binaries.ts';

export const SUPERUSER = 'lead_intake';

// Trigrams of Arabic need a UTF-8 character type; macOS has no C.UTF-8.
const LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

const DRAFT = '.new-';

interface NewCluster {
  folder: string;
  initdb: string;
  account: Account | null;
}

/** Makes a cluster in `folder` unless one is there; gives its superuser's password. */
export async function ensureCluster(wanted: NewCluster): Promise<string> {
  sweepDrafts(wanted.folder);
  const passwordFile = path.join(wanted.folder, 'superuser-password');
  if (fs.existsSync(passwordFile)) return fs.readFileSync(passwordFile, 'utf8');
  if (fs.existsSync(path.join(wanted.folder, 'PG_VERSION'))) {
    throw new Error(
      `${wanted.folder} holds a Postgres cluster that was not made here; move it away.`,
    );
  }
  return makeCluster(wanted);
}

/** Built next to its place and moved there whole, so that an interrupted start leaves nothing half made. */
async function makeCluster({ folder, initdb, account }: NewCluster): Promise<string> {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const draft = fs.mkdtempSync(`${folder}${DRAFT}`);
  const passwordFile = `${draft}.password`;
  const password = randomBytes(24).toString('base64url');
  fs.writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) {
    for (const place of [draft, passwordFile]) fs.chownSync(place, account.uid, account.gid);
  }
  await initialise({ folder: draft, initdb, account }, passwordFile);
  fs.renameSync(passwordFile, path.join(draft, 'superuser-password'));
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(draft, folder);
  return password;
}

/** Of starts that were killed: the initdb of one may even be at it, so each has a folder of its own. */
function sweepDrafts(folder: string): void {
  const parent = path.dirname(folder);
  const drafts = fs.existsSync(parent) ? fs.readdirSync(parent) : [];
  for (const name of drafts.filter((each) => each.startsWith(path.basename(folder) + DRAFT))) {
    fs.rmSync(path.join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

async function initialise({ folder, initdb, account }: NewCluster, passwordFile: string) {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${LOCALE}`,
    '--no-sync',
    '--no-instructions',
  ];
  const options = { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: LOCALE } };
  await promisify(execFile)(initdb, args, options);
}
