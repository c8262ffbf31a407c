import { setTimeout } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { Logger } from 'pino';
import { knownCause } from '../platform/errors.ts';

const STOP_LIMIT_MS = 5000;

/** Runs `work` until it is stopped, without a pause while there is more to do. Logs an error and goes on. */
export function startPollLoop(
  work: () => Promise<number>,
  { everyMs, name, log }: { everyMs: number; name: string; log: Logger },
) {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const done = await work().catch((error: Error & { code?: string }) => {
        const reason = knownCause(error) ?? error.name;
        log.error({ loop: name, reason, code: error.code }, 'loop failed');
        return 0;
      });
      if (done === 0) await setTimeout(everyMs, null, { signal }).catch(() => null);
    }
  }

  const running = run();
  return {
    /** Waits five seconds at most for the call that is under way. */
    async stop(): Promise<void> {
      stopping.abort();
      await pTimeout(running, { milliseconds: STOP_LIMIT_MS, fallback: () => undefined });
    },
  };
}
