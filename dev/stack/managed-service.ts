import type { Exit, GuardedProcess } from '../process/supervised.ts';

export interface Part {
  readonly name: string;
  pid(): number | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it with kill -9, for tests of what happens then. */
  crash(): Promise<void>;
}

export type OnDeath = (part: string, exit: Exit, logFile: string) => void;

/** One program of the stack. `launch` gives it when it is ready; an end that nobody asked for is told. */
export function createPart(
  name: string,
  launch: () => Promise<GuardedProcess>,
  onDeath: OnDeath,
): Part {
  let current: GuardedProcess | undefined;
  let launching: Promise<GuardedProcess> | undefined;
  const awaited = new WeakSet<GuardedProcess>();

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
