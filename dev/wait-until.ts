import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  what: string;
  /** Three minutes by default, which is enough on a busy machine. */
  timeoutMs?: number;
  /** By default a tenth of the time waited so far, from 20 to 200 ms. */
  everyMs?: number;
  /** Called with each error of `probe`. The wait fails if it returns a reason. */
  abandon?: (error: unknown) => string | undefined;
}

export async function waitUntil<T>(probe: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { what, timeoutMs = 180_000 } = options;
  const begun = Date.now();
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      const reason = options.abandon?.(error);
      if (reason !== undefined) throw new Error(reason, { cause: error });
      if (Date.now() - begun > timeoutMs) {
        const message = error instanceof Error ? error.message : String(error);
        const text = `${what} was not ready after ${timeoutMs / 1000} s: ${message}`;
        throw new Error(text, { cause: error });
      }
    }
    await sleep(options.everyMs ?? Math.min(Math.max((Date.now() - begun) / 10, 20), 200));
  }
}
