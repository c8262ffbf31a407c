import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** Whether the program is the Temporal CLI with a server inside; `tctl` and the like are not. */
export async function isTemporalCli(binary: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 30_000 });
    return /temporal version .*\(Server \d/.test(stdout);
  } catch {
    return false;
  }
}

/** The first executable of that name on the search path. */
export async function onSearchPath(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter).filter(Boolean)) {
    const candidate = path.join(folder, name);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
