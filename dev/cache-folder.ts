import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/**
 * For downloads and builds that take minutes, shared by every checkout of this user: below the cache
 * folder of the home, or a temporary folder where the home is not writable.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const cache = env['XDG_CACHE_HOME'] || path.join(env['HOME'] || os.homedir(), '.cache');
  const folder = path.join(cache, 'lead-intake');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return ownTemporaryFolder();
  }
}

/** Programs are run from it, so it must not belong to another user. */
function ownTemporaryFolder(): string {
  const uid = process.getuid?.();
  const folder = path.join(os.tmpdir(), `lead-intake-cache-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (found.isDirectory() && (uid === undefined || found.uid === uid)) return folder;
  throw new Error(
    `There is no home folder to write to, and ${folder} belongs to somebody else.\n` +
      'Set XDG_CACHE_HOME to a folder of your own.',
  );
}
