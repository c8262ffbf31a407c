import type { Logger } from 'pino';

/** Runs `work` until it is stopped: at once again while there is more to do; an error is logged and ends nothing. */
export function startPollLoop(
  work: () => Promise<number>,
  { everyMs, name, log }: { everyMs: number; name: string; log: Logger },
) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function run(): Promise<void> {
    const hasMore = await work().then(
      (done) => done > 0,
      (error: Error & { code?: string }) => {
        log.error({ loop: name, reason: error.name, code: error.code }, 'loop failed');
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
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
