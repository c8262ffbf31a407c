import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit, SupervisedProcess } from '../process/supervised.ts';
import { step, type Progress } from '../progress.ts';
import type { Ports } from './ports.ts';
import type { Settings } from './settings.ts';

/** One start of the stack: its settings, and what it has started so far. */
export interface Run {
  settings: Settings;
  ports: Ports;
  progress: Progress;
  onUnexpectedExit: OnUnexpectedExit;
  services: Map<ServiceName, Service>;
  /** Each ends the watch over a service; called before the services are stopped. */
  endWatches: (() => Promise<void>)[];
  /** Each closes what lives in this process; called after the services have stopped, in reverse order. */
  closers: (() => Promise<void>)[];
  /** A service whose start completes from now on is stopped at once. */
  isStopping: boolean;
}

export type ServiceName = 'api' | 'worker' | 'temporal' | 'postgres';

/** A service stops before those that it depends on. */
const STOP_ORDER: readonly ServiceName[] = ['api', 'worker', 'temporal', 'postgres'];

/** Resolves to a function that returns what `launch` did last: a service may be restarted. */
export async function startService<T extends SupervisedProcess>(
  run: Run,
  name: ServiceName,
  title: string,
  launch: () => Promise<T>,
): Promise<() => T> {
  let launched: T;
  const launchAndKeep = async () => (launched = await launch());
  const service = createService(name, launchAndKeep, run.onUnexpectedExit);
  run.services.set(name, service);
  await step(run.progress, title, service.start);
  if (run.isStopping) await service.stop();
  return () => launched;
}

export async function closeAtEnd(run: Run, close: () => Promise<void>): Promise<void> {
  if (run.isStopping) await close();
  else run.closers.push(close);
}

/** For a service that runs but no longer serves. */
export async function restartService({ services, progress }: Run, name: ServiceName) {
  const service = services.get(name);
  if (!service) return;
  await step(progress, `Starting ${name} again: it is stuck`, async () => {
    await service.crash();
    await service.start();
  }).catch((error: unknown) => progress.say(String(error)));
}

export async function stopServices(run: Run): Promise<void> {
  run.isStopping = true;
  await Promise.all(run.endWatches.map((endWatch) => endWatch()));
  for (const name of STOP_ORDER) {
    const service = run.services.get(name);
    if (service) await step(run.progress, `Stopping ${name}`, service.stop);
  }
  for (const close of run.closers.toReversed()) await close();
}

export interface Service {
  pid(): number | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it with SIGKILL. */
  crash(): Promise<void>;
}

export type OnUnexpectedExit = (name: ServiceName, exit: Exit, logFile: string) => void;

/** One program of the stack. `launch` resolves once it is ready. */
function createService(
  name: ServiceName,
  launch: () => Promise<SupervisedProcess>,
  onUnexpectedExit: OnUnexpectedExit,
): Service {
  let current: SupervisedProcess | undefined;
  let launching: Promise<SupervisedProcess> | undefined;
  const expectedToExit = new WeakSet<SupervisedProcess>();

  async function end(how: 'stop' | 'kill'): Promise<void> {
    await launching?.catch(() => undefined); // the caller of start() handles the error
    if (!current) return;
    expectedToExit.add(current);
    await current[how]();
  }

  return {
    pid: () => current?.pid,
    async start() {
      launching = launch();
      const started = await launching;
      current = started;
      void started.exited.then((exit) => {
        if (!expectedToExit.has(started)) onUnexpectedExit(name, exit, started.logFile);
      });
    },
    stop: () => end('stop'),
    crash: () => end('kill'),
  };
}

interface WatchOptions {
  /** False as well when it cannot be determined. */
  isStuck(): Promise<boolean>;
  restart(): Promise<void>;
  everyMs?: number;
}

const CHECKS_BEFORE_RESTART = 5;

/**
 * Restarts what several checks in a row find stuck. The function returned ends the watch; it waits for a
 * restart under way.
 */
export function watchOver({ isStuck, restart, everyMs = 2000 }: WatchOptions): () => Promise<void> {
  const end = new AbortController();
  const { signal } = end;

  async function watch(): Promise<void> {
    let stuckChecks = 0;
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      stuckChecks = (await isStuck()) ? stuckChecks + 1 : 0;
      if (stuckChecks < CHECKS_BEFORE_RESTART || signal.aborted) continue;
      stuckChecks = 0;
      await restart();
    }
  }

  const watching = watch();
  return () => {
    end.abort();
    return watching;
  };
}
