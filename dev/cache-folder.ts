import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

/** For downloads and builds that take minutes. All checkouts of this user share it. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const cache = env['XDG_CACHE_HOME'] || path.join(env['HOME'] || os.homedir(), '.cache');
  const folder = path.join(cache, 'lead-intake');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return temporaryFolder();
  }
}

/** The stack runs programs from it, so no other user may own it or write to it. */
function temporaryFolder(): string {
  const uid = process.getuid?.();
  const folder = path.join(os.tmpdir(), `lead-intake-cache-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return folder;
  throw new Error(
    `Another user owns ${folder} or can write to it: set XDG_CACHE_HOME to a folder of your own.`,
  );
}
