import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
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
  fs.mkdirSync(parent, { recursive: true });
  const linked = linkTarget(wanted);
  if (linked === null) {
    return account === null || canReach(parent, account) ? wanted : elsewhere(wanted);
  }
  if (fs.existsSync(path.dirname(linked))) return linked;
  fs.rmSync(wanted);
  return elsewhere(wanted);
}

/** Null where there is no symbolic link. */
function linkTarget(place: string): string | null {
  const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? fs.readlinkSync(place) : null;
}

function elsewhere(wanted: string): string {
  sweepAbandoned();
  const base = fs.mkdtempSync(path.join(ELSEWHERE, PREFIX));
  fs.chmodSync(base, 0o711);
  const folder = path.join(base, 'data');
  // The cluster of a start when the account could reach the folder; as root, so that it keeps its owner.
  if (fs.existsSync(wanted)) execFileSync('mv', [wanted, folder]);
  fs.symlinkSync(folder, wanted);
  fs.writeFileSync(path.join(base, LINKED_FROM), wanted);
  return folder;
}

/** Whoever deletes the data folder deletes but a link: what it led to goes at the next occasion. */
function sweepAbandoned(): void {
  const bases = fs.readdirSync(ELSEWHERE).filter((name) => name.startsWith(PREFIX));
  for (const base of bases.map((name) => path.join(ELSEWHERE, name))) {
    const isServed = fs.existsSync(path.join(base, 'data', 'postmaster.pid'));
    if (!isServed && isAbandoned(base)) fs.rmSync(base, { recursive: true, force: true });
  }
}

function isAbandoned(base: string): boolean {
  try {
    const link = fs.readFileSync(path.join(base, LINKED_FROM), 'utf8');
    return linkTarget(link) !== path.join(base, 'data');
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
  if (!fs.existsSync(lockFile)) return;
  const pid = Number(fs.readFileSync(lockFile, 'utf8').split('\n')[0]);
  const command = commandOf(pid);
  if (command === null) return; // Postgres itself replaces the lock file of an ended server
  if (command.includes(folder)) await endEarlier('Postgres', processMark(pid), 'SIGINT');
  else fs.rmSync(lockFile, { force: true });
}

/** Null where no such process runs. */
function commandOf(pid: number): string | null {
  try {
    return process.platform === 'linux'
      ? fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return null;
  }
}
