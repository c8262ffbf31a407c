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
function familyCpuMsOf(pid: number): number {
  const children = childrenOf(pid);
  const ended = statOf(pid);
  const endedMs = ended ? (Number(ended[CUTIME]) + Number(ended[CSTIME])) * TICK_MS : NaN;
  // One that ends meanwhile is among those that have ended the next time.
  const ofChildren = children.map((child) => cpuMsOf(Number(child)) || 0);
  return ofChildren.reduce((sum, ms) => sum + ms, cpuMsOf(pid) + endedMs);
}

const childrenOf = (pid: number) =>
  readdirSync('/proc').filter((name) => statOf(name)?.[PARENT] === String(pid));

/** Returns the processor time of a process and of a Postgres since then, for each of so many pieces of work. */
export function startCpu(pid: number, postgresPid: number) {
  const [node, postgres] = [cpuMsOf(pid), familyCpuMsOf(postgresPid)];
  return (times: number) => ({
    nodeMs: (cpuMsOf(pid) - node) / times,
    postgresMs: (familyCpuMsOf(postgresPid) - postgres) / times,
  });
}

/** The most that a process has held in memory so far, in megabytes. */
export const peakMegabytesOf = (pid: number) => statusOf(pid, 'VmHWM');

/** In megabytes; 0 of a process that has ended. */
function statusOf(pid: number | string, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, kilobytes = 0] = new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(status) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Positions of the fields after the command. */
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
