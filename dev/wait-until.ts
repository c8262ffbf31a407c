import { setTimeout as sleep } from 'node:timers/promises';

const A_MINUTE_MS = 60_000;

export interface WaitOptions {
  what: string;
  /** A minute by default, also for a slow machine. */
  timeoutMs?: number;
  everyMs?: number;
  /** Ends the wait with an error where it returns a reason. */
  abandon?: () => string | undefined;
}

/** Calls `probe` until it does not throw. */
export async function waitUntil<T>(probe: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { what, timeoutMs = A_MINUTE_MS } = options;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      const reason = options.abandon?.();
      if (reason !== undefined) throw new Error(reason, { cause: error });
      if (Date.now() > deadline) throw tooLong(what, timeoutMs, error);
    }
    await sleep(options.everyMs ?? 30);
  }
}

function tooLong(what: string, timeoutMs: number, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${what} was not ready after ${timeoutMs / 1000} s: ${reason}`, { cause });
}
