import { randomUUID } from 'node:crypto';
import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';
import { OperatorError } from './operator.ts';

export function fileError(file: string, what: 'read' | 'written', error: unknown): OperatorError {
  if (file === '-' && what === 'read')
    return new OperatorError('Standard input is not read: name a file.');
  const { errno, message } = error as NodeJS.ErrnoException;
  const why = errno === undefined ? message : getSystemErrorMessage(errno);
  return new OperatorError(`${file} cannot be ${what}: ${why}.`);
}

/**
 * Writes a temporary file and renames it, so that a failed write leaves the file unchanged. Writes to a terminal, a
 * pipe or a device directly.
 */
async function writeAtomically<T>(file: string, write: (path: string) => Promise<T>): Promise<T> {
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) return write(file);
  const target = found ? await realpath(file) : file;
  const draft = `${target}.${randomUUID()}.part`;
  try {
    const result = await write(draft);
    await rename(draft, target).catch((error: unknown) => {
      throw fileError(file, 'written', error);
    });
    return result;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** `mode` applies to a new file. */
export function writeTextFile(file: string, text: string, mode?: number): Promise<void> {
  return writeAtomically(file, (path) =>
    writeFile(path, text, { mode }).catch((error: unknown) => {
      throw fileError(file, 'written', error);
    }),
  );
}
