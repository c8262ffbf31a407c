import { setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  what: string;
  timeoutMs: number;
  everyMs?: number;
  /** Ends the wait early: whatever was waited for will not come. */
  abandon?: () => string | undefined;
}

/** Asks `probe` again and again until it gives something; what it throws means "not yet". */
export async function waitUntil<T>(probe: () => Promise<T>, options: WaitOptions): Promise<T> {
  const deadline = Date.now() + options.timeoutMs;
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      const reason = options.abandon?.();
      if (reason !== undefined) throw new Error(reason, { cause: error });
      if (Date.now() > deadline) throw tooLong(options, error);
    }
    await sleep(options.everyMs ?? 30);
  }
}

function tooLong({ what, timeoutMs }: WaitOptions, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${what} was not ready after ${timeoutMs / 1000} s: ${reason}`, { cause });
}
