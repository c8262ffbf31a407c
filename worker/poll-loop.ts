import { setTimeout } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { Logger } from 'pino';
import { knownCause } from '../platform/errors.ts';
import { createFailureLog } from '../platform/failure-log.ts';

const STOP_LIMIT_MS = 5000;

/** Continues after an error. No pause while there is more to do. */
export function startPollLoop(
  work: () => Promise<number>,
  { everyMs, name, log }: { everyMs: number; name: string; log: Logger },
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failures = createFailureLog<{ reason: string; code?: string }>({
    nowMs: () => performance.now(),
    writeFailure: (fields) => log.error({ loop: name, ...fields }, 'loop failed'),
    writeEnd: (fields) => log.info({ loop: name, ...fields }, 'loop works again'),
  });

  async function workOnce(): Promise<number> {
    try {
      const done = await work();
      failures.succeeded();
      return done;
    } catch (error) {
      const { name: kind, code } = error as Error & { code?: string };
      failures.failed({ reason: knownCause(error) ?? kind, code });
      return 0;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const done = await workOnce();
      if (done === 0) await setTimeout(everyMs, null, { signal }).catch(() => null);
    }
  }

  const running = run();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await pTimeout(running, { milliseconds: STOP_LIMIT_MS, fallback: () => undefined });
    },
  };
}
