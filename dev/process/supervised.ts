import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, rmSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { notePid } from './leftovers.ts';
import { lastLines, openLog } from './log-file.ts';

export interface GuardedOptions {
  name: string;
  command: string;
  args: readonly string[];
  /** The whole environment of the child: nothing is inherited. */
  env: Record<string, string | undefined>;
  logFile: string;
  /** Says which process runs as long as it does: see leftovers.ts. */
  pidFile?: string;
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

export interface GuardedProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Fulfilled once the child has ended, for whatever reason. */
  readonly exited: Promise<Exit>;
  /** Asks it to end, and makes it end after the grace. */
  stop(): Promise<Exit>;
  kill(): Promise<Exit>;
}

type Message = { pid: number } | { failure: string } | Exit;

const guardian = fileURLToPath(new URL('supervisor.mjs', import.meta.url));

/** Starts a program that cannot outlive this process. */
export async function startGuarded(options: GuardedOptions): Promise<GuardedProcess> {
  const warden = spawnGuardian(options);
  const exited = exitOf(warden);
  const pid = await pidOf(warden, options);
  const wish = (text: 'stop' | 'kill') => {
    if (warden.connected) warden.send(text, () => undefined);
    return exited;
  };
  if (options.pidFile) notePid(options.pidFile, pid);
  void exited.then(() => {
    endOrphan(pid);
    if (options.pidFile) rmSync(options.pidFile, { force: true });
  });
  return {
    name: options.name,
    pid,
    logFile: options.logFile,
    exited,
    stop: () => wish('stop'),
    kill: () => wish('kill'),
  };
}

function spawnGuardian(options: GuardedOptions): ChildProcess {
  const { command, args, cwd, uid, gid, env, stopSignal = 'SIGTERM', graceMs = 10_000 } = options;
  const order = { command, args, options: { cwd, uid, gid }, stopSignal, graceMs };
  const log = openLog(options.logFile);
  // A session of its own: Ctrl-C in the terminal reaches the stack alone, which stops in order.
  const warden = spawn(process.execPath, [guardian, JSON.stringify(order)], {
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
    env,
  });
  closeSync(log);
  return warden;
}

function exitOf(warden: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    warden.on('message', (message: Message) => {
      if ('code' in message) resolve(message);
    });
    warden.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

function pidOf(warden: ChildProcess, { name, logFile }: GuardedOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    warden.on('message', (message: Message) => {
      if ('pid' in message) resolve(message.pid);
      if ('failure' in message) reject(new Error(`${name} cannot be started: ${message.failure}`));
    });
    warden.on('error', reject);
    warden.on('exit', () => reject(new Error(`${name} did not start.\n${lastLines(logFile, 20)}`)));
  });
}

/** Only a guardian that was itself killed leaves its child behind. */
function endOrphan(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
}
