import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat } from 'node:fs/promises';

export interface Draft {
  /** Where to write. */
  path: string;
  /** Gives the whole file its name. */
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * A place beside `file` to write it to: whatever ends the writing half-way, the file is the new one
 * or the one that it was. A terminal, a pipe or a device is written to as it is.
 */
export async function draftOf(file: string): Promise<Draft> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) {
    return { path: file, keep: async () => undefined, discard: async () => undefined };
  }
  const target = found ? await realpath(file) : file;
  const draft = `${target}.${randomUUID()}.part`;
  return {
    path: draft,
    keep: () => rename(draft, target),
    discard: () => rm(draft, { force: true }),
  };
}
