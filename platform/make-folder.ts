import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Node's recursive `mkdir` does not return below a folder such as `/proc`, which refuses new folders with ENOENT. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = path.dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!isFolder(folder)) throw error; // else another process was quicker
  }
}

const isFolder = (place: string) => existsSync(place) && statSync(place).isDirectory();
