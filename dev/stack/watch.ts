import { setTimeout as sleep } from 'node:timers/promises';

export interface Watched {
  /** False as well where it cannot be told. */
  isStuck(): Promise<boolean>;
  restart(): Promise<void>;
  /** Between two looks; two seconds unless told. */
  everyMs?: number;
}

/** So often in a row, before it is believed. */
const LOOKS = 5;

/** Starts again what is stuck; gives how to end the watch, once a new start under way is through. */
export function watchOver({ isStuck, restart, everyMs = 2000 }: Watched): () => Promise<void> {
  const end = new AbortController();
  const { signal } = end;

  async function watch(): Promise<void> {
    let stuckLooks = 0;
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      stuckLooks = (await isStuck()) ? stuckLooks + 1 : 0;
      if (stuckLooks < LOOKS || signal.aborted) continue;
      stuckLooks = 0;
      await restart();
    }
  }

  const watching = watch();
  return () => {
    end.abort();
    return watching;
  };
}
