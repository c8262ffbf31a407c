import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  perSecond: number;
  seconds: number;
}

/** Calls `work` at a steady pace, however long each call takes. */
export async function paced(
  work: (index: number) => Promise<void>,
  { perSecond, seconds }: Pace,
): Promise<void> {
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    await sleep(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
    const call = work(index);
    call.catch(() => undefined); // thrown below, once all are sent
    calls.push(call);
  }
  await Promise.all(calls);
}
