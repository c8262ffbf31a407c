import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Appears whole or not at all, readable by nobody else: secrets are in it. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

export function readPrivate(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** What was written as JSON; an empty object where nothing was. */
export function readPrivateJson(file: string): unknown {
  const text = readPrivate(file);
  if (text === null) return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is damaged: delete it, and what it says is found or made anew.`, {
      cause,
    });
  }
}
