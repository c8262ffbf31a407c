import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import type { Account } from './account.ts';

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
  const base = mkdtempSync('/var/tmp/lead-intake-postgres-');
  chmodSync(base, 0o711);
  const folder = path.join(base, 'data');
  symlinkSync(folder, wanted);
  return folder;
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
