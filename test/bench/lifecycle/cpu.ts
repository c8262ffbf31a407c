import { readFileSync } from 'node:fs';

/** Linux counts processor time for /proc in hundredths of a second, whatever the kernel's own clock. */
const TICK_MS = 10;

/**
 * The processor time of a process so far, in user and kernel mode, of all its threads and of no child.
 * NaN where there is no /proc.
 */
export function cpuMsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command, in parentheses, may hold spaces; utime and stime are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return NaN;
  }
}
