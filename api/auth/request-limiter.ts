import { setTimeout as sleep } from 'node:timers/promises';
import { tooBusy } from '../errors.ts';

/** Slots of all clients. More make each create slower, without more creates a second. */
const PLACES = 16;
/** As long as a statement may take. */
export const MAX_WAIT_MS = 10_000;
/** As long as `Retry-After` says. */
const REFUSED_MS = 1000;

interface ClientRequests {
  inFlight: number;
  running: number;
  waiting: (() => void)[];
}

interface Turn {
  clientId: string;
  isGone: () => boolean;
}

/** `release` ends the turn before a wait that needs no resources. */
export type LimitRequests = <T>(
  turn: Turn,
  work: (release: () => void) => Promise<T>,
) => Promise<T>;

/** Each client has an equal share of the slots, at least one. Unused slots go to the others. */
export function createRequestLimiter({
  places = PLACES,
  maxInFlight = Infinity,
  maxWaitMs = MAX_WAIT_MS,
}): LimitRequests {
  const clients = new Map<string, ClientRequests>();

  function enter(clientId: string): ClientRequests | null {
    const client = clients.get(clientId) ?? { inFlight: 0, running: 0, waiting: [] };
    if (client.inFlight >= maxInFlight) return null;
    clients.set(clientId, client);
    client.inFlight += 1;
    return client;
  }

  function leave(clientId: string, client: ClientRequests): void {
    client.inFlight -= 1;
    if (client.inFlight === 0) clients.delete(clientId);
  }

  function beginTurns(): void {
    const wanted = Array.from(clients.values(), ({ running, waiting }) => running + waiting.length);
    const most = fairShare(places, wanted);
    for (const client of clients.values())
      for (const begin of client.waiting.splice(0, most - client.running)) begin();
  }

  function takeTurn(client: ClientRequests): Promise<() => void> {
    let hasTurn = true;
    const release = () => {
      if (!hasTurn) return;
      hasTurn = false;
      client.running -= 1;
      beginTurns();
    };
    return new Promise((resolve) => {
      client.waiting.push(() => {
        client.running += 1;
        resolve(release);
      });
      beginTurns();
    });
  }

  return async ({ clientId, isGone }, work) => {
    const beganMs = performance.now();
    const client = enter(clientId);
    if (!client) {
      await sleep(REFUSED_MS); // so that a client that retries at once takes less of the others' time
      throw tooBusy('Too many requests of this client are in flight.');
    }
    const release = await takeTurn(client);
    try {
      if (isGone() || performance.now() - beganMs > maxWaitMs)
        throw tooBusy('The request waited too long for others of this client.');
      return await work(release);
    } finally {
      release();
      leave(clientId, client);
    }
  };
}

function fairShare(places: number, wanted: readonly number[]): number {
  let left = places;
  let others = wanted.length;
  for (const count of wanted.toSorted((a, b) => a - b)) {
    if (count * others > left) return Math.max(1, Math.floor(left / others));
    left -= count;
    others -= 1;
  }
  return places;
}
