import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { processMark } from '../../platform/process-mark.ts';
import { waitUntil } from '../wait-until.ts';
import { writePidFile } from './pid-file.ts';

export interface SupervisedOptions {
  name: string;
  command: string;
  args: readonly string[];
  /** The whole environment of the child: nothing is inherited. */
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Exists while the process runs, so that a later start can end it. */
  pidFile?: string | undefined;
  cwd?: string;
  uid?: number;
  gid?: number;
  stopSignal?: NodeJS.Signals;
  graceMs?: number;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export type SupervisedProcess = Awaited<ReturnType<typeof startSupervised>>;

/** Starts a program that cannot outlive this process. */
export async function startSupervised(options: SupervisedOptions) {
  const { name, command, args, logFile, pidFile, ...place } = options;
  const { stopSignal = 'SIGTERM', graceMs = 10_000 } = place;
  const log = openLog(logFile);
  // Detached: Ctrl-C in the terminal reaches only the stack, which stops its programs in order.
  const child = spawn(command, args, { ...place, stdio: ['ignore', log, log], detached: true });
  fs.closeSync(log);
  const { pid } = child;
  if (pid === undefined) {
    const [error] = (await once(child, 'error')) as [Error];
    throw new Error(`${name} cannot be started: ${error.message}`);
  }
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => {
      if (pidFile) fs.rmSync(pidFile, { force: true });
      resolve({ code, signal });
    }),
  );
  supervisor ??= startSupervisor();
  supervisor.write(`${JSON.stringify({ name, mark: processMark(pid) })}\n`);
  if (pidFile) writePidFile(pidFile, pid);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    setTimeout(() => child.kill('SIGKILL'), graceMs).unref();
    return exited;
  };
  return { name, pid, logFile, exited, stop: () => end(stopSignal), kill: () => end('SIGKILL') };
}

let supervisor: Socket | undefined;

/** Ends the programs whose lines it got when this process has ended. */
function startSupervisor(): Socket {
  const script = path.join(import.meta.dirname, 'supervisor.ts');
  const stdio = ['pipe' as const, 'ignore' as const, 'ignore' as const];
  const started = spawn(process.execPath, [script], { stdio, detached: true });
  started.unref();
  // If it was killed too, the next start ends what is left.
  return (started.stdin as Socket).unref().on('error', () => undefined);
}

/** Throws the last lines of the log unless the program exits with 0. */
export async function runSupervised(options: SupervisedOptions): Promise<void> {
  const { exited, logFile } = await startSupervised(options);
  const { code } = await exited;
  if (code !== 0) throw new Error(`${lastLines(logFile, 3)}\n  (all of it: ${logFile})`);
}

/** Polls `probe` until it succeeds. Kills a process that is not ready in time or whose start is aborted. */
export async function waitUntilReady(
  child: SupervisedProcess,
  probe: () => Promise<void>,
  { what, isAborted = () => false }: { what: string; isAborted?: () => boolean },
): Promise<void> {
  let hasEnded = false;
  void child.exited.then(() => (hasEnded = true));
  const abandon = () => {
    if (hasEnded) return `${what} ended while starting:\n${lastLines(child.logFile, 20)}`;
    return isAborted() ? `The start of ${child.name} was given up.` : undefined;
  };
  try {
    await waitUntil(probe, { what: `${what} (log: ${child.logFile})`, abandon });
  } catch (error) {
    await child.kill();
    throw error;
  }
}

const ROTATE_ABOVE_BYTES = 10 * 1024 * 1024;

function openLog(file: string): number {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_ABOVE_BYTES) fs.renameSync(file, `${file}.1`);
  return fs.openSync(file, 'a');
}

export function lastLines(file: string, count: number): string {
  try {
    return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}
