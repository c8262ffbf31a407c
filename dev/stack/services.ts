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
  /** Stops and closes what was started, the last first: what depends on another one starts after it. */
  resources: AsyncDisposableStack;
}

export type ServiceName = 'api' | 'worker' | 'temporal' | 'postgres';

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
  run.resources.defer(() => step(run.progress, `Stopping ${name}`, service.stop));
  await step(run.progress, title, service.start);
  return () => launched;
}

export async function closeAtEnd({ resources }: Run, close: () => Promise<void>): Promise<void> {
  if (resources.disposed) await close();
  else resources.defer(close);
}

/** For a service that runs but no longer serves; `seen` says what it did instead. */
export async function restartService({ services, progress }: Run, name: ServiceName, seen: string) {
  const service = services.get(name);
  if (!service) return;
  await step(progress, `Starting ${name} again: ${seen}`, async () => {
    await service.crash();
    await service.start();
  }).catch((error: unknown) => progress.say(String(error)));
}

export type Service = ReturnType<typeof createService>;

type OnUnexpectedExit = (name: ServiceName, exit: Exit, logFile: string) => void;

/** One program of the stack. `launch` resolves once it is ready. */
function createService(
  name: ServiceName,
  launch: () => Promise<SupervisedProcess>,
  onUnexpectedExit: OnUnexpectedExit,
) {
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
    /** Waits for a start under way. */
    stop: () => end('stop'),
    /** Ends it with SIGKILL. */
    crash: () => end('kill'),
  };
}

interface WatchOptions {
  /** False as well when it cannot be determined. */
  isStuck(): Promise<boolean>;
  restart(): Promise<void>;
  everyMs?: number;
}

/** For half a minute: one that was frozen for a while recovers by itself. */
const CHECKS_BEFORE_RESTART = 15;

/**
 * Restarts what fifteen checks in a row find stuck, two seconds apart by default. The function returned ends the watch; it waits for a
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
