import { mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';

const ROTATE_ABOVE_BYTES = 10 * 1024 * 1024;

/** Opens a log for appending; a large one is rotated first. */
export function openLog(file: string): number {
  mkdirSync(path.dirname(file), { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_ABOVE_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a');
}

export function lastLines(file: string, count: number): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}
