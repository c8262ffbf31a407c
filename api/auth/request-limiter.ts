import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { tooBusy } from '../errors.ts';

/** Of a client that has the process to itself. */
const MAX_RUNNING = 64;
/** How long a client counts as present after its last request. */
const PRESENT_MS = 5000;
const MAX_PAUSE_MS = 250;
/** As long as a statement may take. */
const MAX_WAIT_MS = 10_000;

interface ClientRequests {
  /** Of the turns; `inFlight` counts also those whose turn was released early. */
  queue: PQueue;
  inFlight: number;
  lastSeenMs: number;
}

interface Turn {
  clientId: string;
  /** Whether nobody waits for the response any more. */
  isGone: () => boolean;
}

/** Runs `work` in its client's turn. `release` ends the turn before a wait that takes no resources. */
export type LimitRequests = <T>(
  turn: Turn,
  work: (release: () => void) => Promise<T>,
) => Promise<T>;

/**
 * Shares a process fairly between its clients. While several are present, each runs as many requests at once
 * as the least busy of them has, at least one; its others wait for their turn, and between two turns it pauses
 * for as long as the first one took. So a request waits for at most one request of each other client, however
 * many these send. More than `maxInFlight` requests of a client,
 * running and waiting, are refused.
 */
export function createRequestLimiter(maxInFlight: number): LimitRequests {
  const clients = new Map<string, ClientRequests>();

  function enter(clientId: string, nowMs: number): ClientRequests {
    const client = clients.get(clientId) ?? { queue: new PQueue(), inFlight: 0, lastSeenMs: nowMs };
    if (client.inFlight >= maxInFlight)
      throw tooBusy('Too many requests of this client are in flight.');
    clients.set(clientId, client);
    client.inFlight += 1;
    client.lastSeenMs = nowMs;
    return client;
  }

  function share(nowMs: number): void {
    for (const [id, { inFlight, lastSeenMs }] of clients)
      if (inFlight === 0 && nowMs - lastSeenMs > PRESENT_MS) clients.delete(id);
    const queues = Array.from(clients.values(), ({ queue }) => queue);
    const fewest = Math.min(...queues.map(({ size, pending }) => size + pending));
    const running = queues.length > 1 ? Math.min(Math.max(fewest, 1), MAX_RUNNING) : MAX_RUNNING;
    for (const queue of queues) if (queue.concurrency !== running) queue.concurrency = running;
  }

  /** Leaves half of the time to the others where more requests of this client wait for a turn. */
  async function pauseAfter({ queue }: ClientRequests, turnMs: number): Promise<void> {
    const hasMoreThanItsShare = queue.concurrency < MAX_RUNNING && queue.size > 0;
    if (hasMoreThanItsShare) await delay(Math.min(turnMs, MAX_PAUSE_MS));
  }

  return async ({ clientId, isGone }, work) => {
    const beganMs = performance.now();
    const client = enter(clientId, beganMs);
    const { promise: ended, resolve } = Promise.withResolvers<undefined>();
    const release = () => resolve(undefined);
    try {
      await new Promise<void>((begin) => {
        void client.queue.add(async () => {
          const turnBeganMs = performance.now();
          begin();
          await ended;
          await pauseAfter(client, performance.now() - turnBeganMs);
        });
        share(beganMs);
      });
      if (isGone() || performance.now() - beganMs > MAX_WAIT_MS)
        throw tooBusy('The request waited too long for others of this client.');
      return await work(release);
    } finally {
      release();
      client.inFlight -= 1;
      client.lastSeenMs = performance.now();
      share(client.lastSeenMs);
    }
  };
}
