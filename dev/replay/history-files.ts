import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { errorCode } from '../../platform/errors.ts';
import { UnreadableHistory } from './read-history.ts';
import type { Histories, HistorySource } from './replay-all.ts';

/** The files named, and every `.json` file of the folders named. */
export async function savedHistories(paths: readonly string[]): Promise<Histories> {
  const files = findFiles(paths);
  let count = 0;
  while (!(await files.next()).done) count += 1;
  return { count, histories: readEach(paths) };
}

async function* readEach(paths: readonly string[]): AsyncGenerator<HistorySource> {
  for await (const file of findFiles(paths)) yield { name: file, read: () => readText(file) };
}

async function* findFiles(paths: readonly string[]): AsyncGenerator<string> {
  for (const given of paths) {
    if (!(await isFolder(given))) yield given;
    else for await (const found of glob('**/*.json', { cwd: given })) yield path.join(given, found);
  }
}

async function isFolder(given: string): Promise<boolean> {
  const found = await stat(given).catch(({ errno }: NodeJS.ErrnoException) => {
    throw new Error(`${given} cannot be read: ${getSystemErrorMessage(errno ?? 0)}.`);
  });
  return found.isDirectory();
}

function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new UnreadableHistory(`cannot be read: ${errorCode(error)}`);
  });
}
