import fs from 'node:fs';

/** Postgres makes the next file of its write-ahead log, 16 MB, before it goes on. */
const NEEDED_BYTES = 32 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** A sentence on each disk of these folders that is full, or nearly. */
export function describeFullDisks(folders: readonly string[]): string[] {
  const seen = new Set<number>();
  return folders.flatMap((folder) => {
    const disk = readDisk(folder);
    if (disk === null || seen.has(disk.id) || disk.freeBytes >= NEEDED_BYTES) return [];
    seen.add(disk.id);
    const free = (disk.freeBytes / MEGABYTE).toFixed(1);
    return `The disk of ${folder} is full (${free} MB are free, ${NEEDED_BYTES / MEGABYTE} are needed): make room there. What was stored is kept.`;
  });
}

/** Null where there is no such folder. */
function readDisk(folder: string): { id: number; freeBytes: number } | null {
  try {
    const { bavail, bsize, files, ffree } = fs.statfsSync(folder);
    const hasNames = files === 0 || ffree > 0; // some file systems do not count them
    return { id: fs.statSync(folder).dev, freeBytes: hasNames ? bavail * bsize : 0 };
  } catch {
    return null;
  }
}
