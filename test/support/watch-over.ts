import { setTimeout as sleep } from 'node:timers/promises';
import type { Temporal } from '../../dev/temporal.ts';

/**
 * Whether the Temporal server refuses every call: a query that ran into its time limit, as on a busy machine, may
 * leave its SQLite connection "interrupted" until the server restarts. No data is lost.
 */
export const isInterrupted = ({ checkNamespace }: Pick<Temporal, 'checkNamespace'>) =>
  checkNamespace().then(
    () => false,
    (error: unknown) => String(error).includes('interrupted'),
  );

interface WatchOptions {
  /** False as well when it cannot be determined. */
  isStuck(): Promise<boolean>;
  restart(): Promise<void>;
  everyMs?: number;
}

/** For half a minute: one that was frozen for a while recovers by itself. */
const CHECKS_BEFORE_RESTART = 15;

/** Restarts what is stuck; the function returned ends the watch, and waits for a restart under way. */
export function watchOver({ isStuck, restart, everyMs = 2000 }: WatchOptions): () => Promise<void> {
  const end = new AbortController();

  async function watch(): Promise<void> {
    let stuckChecks = 0;
    for (;;) {
      await sleep(everyMs, null, { signal: end.signal, ref: false });
      stuckChecks = (await isStuck()) ? stuckChecks + 1 : 0;
      if (stuckChecks < CHECKS_BEFORE_RESTART || end.signal.aborted) continue;
      stuckChecks = 0;
      await restart();
    }
  }

  const watching = watch().catch(() => undefined); // aborted
  return () => {
    end.abort();
    return watching;
  };
}
