import os from 'node:os';
import path from 'node:path';

/** For downloads and builds that take minutes. All checkouts of this user share it. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  const cache = env['XDG_CACHE_HOME'] || path.join(env['HOME'] || os.homedir(), '.cache');
  return path.join(cache, 'lead-intake');
}
