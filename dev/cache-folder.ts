import { accessSync, chmodSync, constants, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { makeFolder } from '../platform/make-folder.ts';

/**
 * For downloads and builds that take minutes, shared by every checkout of this user: below the cache
 * folder of the home, or a temporary folder where the home is not writable.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const cache = env['XDG_CACHE_HOME'] || path.join(env['HOME'] || os.homedir(), '.cache');
  const folder = path.join(cache, 'lead-intake');
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return ownTemporaryFolder('lead-intake-cache', 0o700, 'XDG_CACHE_HOME');
  }
}

/** Programs are run from it, so no other user may own it or write to it. `variable` is where to set another place. */
export function ownTemporaryFolder(name: string, mode: number, variable: string): string {
  const uid = process.getuid?.();
  const folder = path.join(os.tmpdir(), `${name}-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || (uid !== undefined && found.uid !== uid))
    throw new Error(
      `${folder} is needed for programs, and belongs to somebody else.\nSet ${variable} to a folder of your own.`,
    );
  if ((found.mode & 0o022) !== 0)
    throw new Error(
      `${folder} is needed for programs, and other users can write to it.\nRemove it, or set ${variable} to a folder of your own.`,
    );
  chmodSync(folder, mode);
  return folder;
}
