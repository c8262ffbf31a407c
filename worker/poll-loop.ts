import type { Logger } from 'pino';

export interface Repeater {
  stop(): Promise<void>;
}

/** Runs `work` again and again until it is stopped; a failure is logged and does not end it. */
export function repeat(
  work: () => Promise<number>,
  { everyMs, name, log }: { everyMs: number; name: string; log: Logger },
): Repeater {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function run(): Promise<void> {
    const hasMore = await work().then(
      (done) => done > 0,
      (error: unknown) => {
        log.error(
          { loop: name, reason: (error as Error).name, code: (error as { code?: string }).code },
          'loop failed',
        );
        return false;
      },
    );
    if (!isStopped) timer = setTimeout(start, hasMore ? 0 : everyMs);
  }

  let running: Promise<void> = Promise.resolve();
  function start(): void {
    running = run();
  }

  start();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
