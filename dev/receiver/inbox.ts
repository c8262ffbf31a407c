import type { Verification } from './verify.ts';

export interface Received extends Verification {
  at: string;
  path: string;
  /** The `webhook-id`: the same over all tries of one event. */
  id: string;
  /** How often this id has arrived at this path by now. */
  attempt: number;
  headers: Record<string, string>;
  /** The body as it came, byte for byte. */
  raw: string;
  body: unknown;
  answered: string;
}

const KEPT = 1000;

export interface Inbox {
  add(call: Omit<Received, 'attempt'>): Received;
  /** Newest first. */
  list(): Received[];
  clear(): void;
}

export function createInbox(): Inbox {
  let kept: Received[] = [];
  return {
    add(call) {
      const earlier = kept.find(({ id, path }) => id === call.id && path === call.path);
      const received = { ...call, attempt: (earlier?.attempt ?? 0) + 1 };
      kept = [received, ...kept].slice(0, KEPT);
      return received;
    },
    list: () => [...kept],
    clear: () => void (kept = []),
  };
}
