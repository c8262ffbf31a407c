import os from 'node:os';
import path from 'node:path';

type Environment = Record<string, string | undefined>;

/** What costs minutes to get is kept here, for every checkout of this user. */
export function cacheFolder(env: Environment): string {
  const base = env['XDG_CACHE_HOME'] || path.join(env['HOME'] || os.homedir(), '.cache');
  return path.join(base, 'lead-intake');
}
