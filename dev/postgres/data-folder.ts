import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { endEarlier, processMark } from '../process/pid-file.ts';
import type { Account } from './binaries.ts';

const ELSEWHERE = '/var/tmp';
const PREFIX = 'lead-intake-postgres-';
const LINKED_FROM = 'linked-from';

/**
 * Where the cluster really lives. An account other than ours may be unable to reach `wanted` (under
 * /root, say): then a link there leads to a folder that it can reach and that outlives a reboot.
 */
export function reachableFolder(wanted: string, account: Account | null): string {
  const parent = path.dirname(wanted);
  mkdirSync(parent, { recursive: true });
  const isLink = lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isLink) return followed(wanted);
  return account === null || canReach(parent, account) ? wanted : elsewhere(wanted);
}

function followed(link: string): string {
  const folder = readlinkSync(link);
  if (existsSync(path.dirname(folder))) return folder;
  rmSync(link);
  return elsewhere(link);
}

function elsewhere(wanted: string): string {
  sweepAbandoned();
  const base = mkdtempSync(path.join(ELSEWHERE, PREFIX));
  chmodSync(base, 0o711);
  const folder = path.join(base, 'data');
  symlinkSync(folder, wanted);
  writeFileSync(path.join(base, LINKED_FROM), wanted);
  return folder;
}

/** Whoever deletes the data folder deletes but a link: what it led to goes at the next occasion. */
function sweepAbandoned(): void {
  const bases = readdirSync(ELSEWHERE).filter((name) => name.startsWith(PREFIX));
  for (const base of bases.map((name) => path.join(ELSEWHERE, name))) {
    const isServed = existsSync(path.join(base, 'data', 'postmaster.pid'));
    if (!isServed && isAbandoned(base)) rmSync(base, { recursive: true, force: true });
  }
}

function isAbandoned(base: string): boolean {
  try {
    const link = readFileSync(path.join(base, LINKED_FROM), 'utf8');
    const isThere = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return !isThere || readlinkSync(link) !== path.join(base, 'data');
  } catch {
    // Just being made, or not ours.
    return false;
  }
}

function canReach(folder: string, { uid, gid }: Account): boolean {
  try {
    const options = { uid, gid, cwd: '/', stdio: 'ignore' } as const;
    execFileSync('/bin/sh', ['-c', 'test -x "$0"', folder], options);
    return true;
  } catch {
    return false;
  }
}

/**
 * Stops the server of an earlier start that still runs on this folder, and removes a lock file whose
 * process id has meanwhile gone to another program.
 */
export async function clearLeftover(folder: string): Promise<void> {
  const lockFile = path.join(folder, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const pid = Number(readFileSync(lockFile, 'utf8').split('\n')[0]);
  const command = commandOf(pid);
  if (command === null) return; // Postgres itself replaces the lock file of an ended server
  if (command.includes(folder)) await endEarlier('Postgres', processMark(pid), 'SIGINT');
  else rmSync(lockFile, { force: true });
}

/** Null where no such process runs. */
function commandOf(pid: number): string | null {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return null;
  }
}
