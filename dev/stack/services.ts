import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit, SupervisedProcess } from '../process/supervised.ts';
import { step } from '../progress.ts';
import type { Progress } from '../progress.ts';
import type { Ports } from './ports.ts';
import type { Settings } from './settings.ts';

/** One start of the stack: what it goes by, and what it has brought up so far. */
export interface Run {
  settings: Settings;
  ports: Ports;
  progress: Progress;
  onUnexpectedExit: OnUnexpectedExit;
  services: Map<ServiceName, Service>;
  /** Ends of watches over parts, before the parts are stopped. */
  watches: (() => Promise<void>)[];
  /** What lives in this process: ended after the parts, the latest first. */
  closers: (() => Promise<void>)[];
  /** What comes up from now on, having been begun before, is ended at once. */
  isStopping: boolean;
}

export type ServiceName = 'api' | 'worker' | 'temporal' | 'postgres';

/** Whoever needs another is stopped before it. */
const STOP_ORDER: readonly ServiceName[] = ['api', 'worker', 'temporal', 'postgres'];

export async function startService(
  run: Run,
  name: ServiceName,
  title: string,
  launch: () => Promise<SupervisedProcess>,
): Promise<void> {
  const part = createService(name, launch, run.onUnexpectedExit);
  run.services.set(name, part);
  await step(run.progress, title, () => part.start());
  if (run.isStopping) await part.stop();
}

export async function closeAtEnd(run: Run, close: () => Promise<void>): Promise<void> {
  if (run.isStopping) await close();
  else run.closers.push(close);
}

/** For a part that runs and is of no use. */
export async function restartService(
  { services: parts, progress }: Run,
  name: ServiceName,
): Promise<void> {
  const part = parts.get(name);
  if (!part) return;
  await step(progress, `Starting ${name} again: it is stuck`, async () => {
    await part.crash();
    await part.start();
  }).catch((error: unknown) => progress.say(String(error)));
}

export async function stopServices(run: Run): Promise<void> {
  run.isStopping = true;
  await Promise.all(run.watches.map((endWatch) => endWatch()));
  for (const name of STOP_ORDER) {
    const part = run.services.get(name);
    if (part) await step(run.progress, `Stopping ${name}`, () => part.stop());
  }
  for (const close of run.closers.toReversed()) await close();
}

export interface Service {
  readonly name: string;
  pid(): number | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it with kill -9, for tests of what happens then. */
  crash(): Promise<void>;
}

export type OnUnexpectedExit = (part: string, exit: Exit, logFile: string) => void;

/** One program of the stack. `launch` gives it when it is ready; an end that nobody asked for is told. */
export function createService(
  name: string,
  launch: () => Promise<SupervisedProcess>,
  onDeath: OnUnexpectedExit,
): Service {
  let current: SupervisedProcess | undefined;
  let launching: Promise<SupervisedProcess> | undefined;
  const awaited = new WeakSet<SupervisedProcess>();

  async function end(how: 'stop' | 'kill'): Promise<void> {
    await launching?.catch(() => undefined); // told to whoever started it
    if (!current) return;
    awaited.add(current);
    await current[how]();
  }

  return {
    name,
    pid: () => current?.pid,
    async start() {
      launching = launch();
      const started = await launching;
      current = started;
      void started.exited.then((exit) => {
        if (!awaited.has(started)) onDeath(name, exit, started.logFile);
      });
    },
    stop: () => end('stop'),
    crash: () => end('kill'),
  };
}

export interface WatchOptions {
  /** False as well where it cannot be told. */
  isStuck(): Promise<boolean>;
  restart(): Promise<void>;
  /** Between two looks; two seconds unless told. */
  everyMs?: number;
}

/** So often in a row, before it is believed. */
const LOOKS = 5;

/** Starts again what is stuck; gives how to end the watch, once a new start under way is through. */
export function watchOver({ isStuck, restart, everyMs = 2000 }: WatchOptions): () => Promise<void> {
  const end = new AbortController();
  const { signal } = end;

  async function watch(): Promise<void> {
    let stuckLooks = 0;
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      stuckLooks = (await isStuck()) ? stuckLooks + 1 : 0;
      if (stuckLooks < LOOKS || signal.aborted) continue;
      stuckLooks = 0;
      await restart();
    }
  }

  const watching = watch();
  return () => {
    end.abort();
    return watching;
  };
}
