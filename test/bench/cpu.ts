import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time for /proc in hundredths of a second, whatever the kernel's own clock. */
const TICK_MS = 10;

/**
 * The processor time of a process so far, in user and kernel mode, of all its threads and of no child.
 * NaN where there is no /proc.
 */
export function cpuMsOf(pid: number): number {
  const fields = statOf(pid);
  return fields ? (Number(fields[UTIME]) + Number(fields[STIME])) * TICK_MS : NaN;
}

/** The same of a process and its children, those that have ended included: a Postgres with its backends. */
export function familyCpuMsOf(pid: number): number {
  const children = childrenOf(pid);
  const ended = statOf(pid);
  const endedMs = ended ? (Number(ended[CUTIME]) + Number(ended[CSTIME])) * TICK_MS : NaN;
  return children.reduce((sum, child) => sum + cpuMsOf(Number(child)), cpuMsOf(pid) + endedMs);
}

/** What a process and its children hold in memory. */
export function familyMegabytesOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce<number>((sum, each) => sum + megabytesOf(each), 0);
}

const childrenOf = (pid: number) =>
  readdirSync('/proc').filter((name) => statOf(name)?.[PARENT] === String(pid));

/** 0 of one that has ended. */
function megabytesOf(pid: number | string): number {
  try {
    const [, kilobytes = 0] =
      /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Of the fields after the command. */
const [PARENT, UTIME, STIME, CUTIME, CSTIME] = [1, 11, 12, 13, 14];

function statOf(pid: number | string): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command, in parentheses, may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
