import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Runs `work` until it is stopped: at once again while there is more to do; an error is logged and ends nothing. */
export function startPollLoop(
  work: () => Promise<number>,
  { everyMs, name, log }: { everyMs: number; name: string; log: Logger },
) {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const done = await work().catch((error: Error & { code?: string }) => {
        log.error({ loop: name, reason: error.name, code: error.code }, 'loop failed');
        return 0;
      });
      if (done === 0) await setTimeout(everyMs, null, { signal }).catch(() => null);
    }
  }

  const running = run();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
