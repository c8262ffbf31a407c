import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { waitUntil } from '../wait-until.ts';
import { endLeftover, writePidFile } from './pid-file.ts';

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

const SUPERVISOR = path.join(import.meta.dirname, 'supervisor.mjs');

/** Starts a program that cannot outlive this process. */
export async function startSupervised({ pidFile, ...options }: SupervisedOptions) {
  const { name, logFile } = options;
  const supervisor = spawnSupervisor(options);
  const exited = new Promise<Exit>((resolve) =>
    supervisor.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const pid = await pidOfChild(supervisor, options);
  if (pidFile) writePidFile(pidFile, pid);
  if (pidFile) void exited.then(() => endLeftover(pidFile)); // the supervisor itself may be killed
  const request = (text: 'stop' | 'kill') => {
    if (supervisor.connected) supervisor.send(text, () => undefined);
    return exited;
  };
  return {
    name,
    pid,
    logFile,
    exited,
    /** Sends the stop signal, then SIGKILL after the grace period. */
    stop: () => request('stop'),
    kill: () => request('kill'),
  };
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

function spawnSupervisor({ logFile, env, ...program }: SupervisedOptions): ChildProcess {
  const order = JSON.stringify({ stopSignal: 'SIGTERM', graceMs: 10_000, ...program });
  const log = openLog(logFile);
  // Detached: Ctrl-C in the terminal reaches only the stack, which stops its programs in order.
  const stdio = ['ignore' as const, log, log, 'ipc' as const];
  const supervisor = spawn(process.execPath, [SUPERVISOR, order], { stdio, detached: true, env });
  fs.closeSync(log);
  return supervisor;
}

async function pidOfChild(supervisor: ChildProcess, { name, logFile }: SupervisedOptions) {
  const ended = once(supervisor, 'exit').then(() => [{ failure: lastLines(logFile, 20) }]);
  const [{ pid, failure }] = await Promise.race([once(supervisor, 'message'), ended]);
  if (pid === undefined) throw new Error(`${name} cannot be started: ${failure}`);
  return pid as number;
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
