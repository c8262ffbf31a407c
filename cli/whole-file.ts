import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { fileFault } from './file-error.ts';

/**
 * Has `write` fill a file beside the one meant, which then takes its name: whatever ends the writing
 * half-way, the file is the new one or the one that it was. A terminal, a pipe or a device is written
 * to as it is.
 */
export async function writeWhole<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) return write(file);
  const target = found ? await realpath(file) : file;
  const draft = `${target}.${randomUUID()}.part`;
  try {
    const result = await write(draft);
    await rename(draft, target).catch((error: unknown) => {
      throw fileFault(file, 'written', error);
    });
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
