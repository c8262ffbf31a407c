import type { CallResult } from '../../domain/webhooks/outcome.ts';
import type { DeliveryInput } from '../../workflows/contracts/webhook-delivery.ts';

/** How many calls a worker has open at once, to all endpoints together. */
export const CALL_SLOTS = 200;
/**
 * To one endpoint. Without a limit an endpoint that hangs would take every slot of the worker and hold up
 * everybody's deliveries; Temporal's fairness keys order what waits in the queue, but cannot free a slot
 * that is taken.
 */
export const OPEN_CALLS = 20;
/** To an endpoint whose calls take long one after the other. */
export const OPEN_CALLS_WHILE_SLOW = 2;

const SLOW_CALL_MS = 5000;
const SLOW_AFTER_CALLS = 3;
const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

type Delivery = Pick<DeliveryInput, 'endpointId' | 'oauthClientId'>;

export interface EndpointLimiter {
  /** Null when a call may be made (then release it); else how long to wait before asking again. */
  acquire(delivery: Delivery, nowMs: number): number | null;
  release(delivery: Delivery, call: { isSlow: boolean; latencyMs: number }): void;
}

/** Of an endpoint, or of a client. */
interface OpenCalls {
  /** When they began, the oldest first. */
  openSinceMs: number[];
  slowInARow: number;
  latencyMs: number;
  /** When all that were throttled will have had their turn. */
  busyUntilMs: number;
}

/** Limits the calls of a worker that runs `callSlots` activities at once. */
export function createEndpointLimiter(callSlots = CALL_SLOTS): EndpointLimiter {
  const endpoints = new Map<string, OpenCalls>();
  const clients = new Map<string, OpenCalls>();
  let freeSlots = callSlots;
  return {
    acquire({ endpointId, oauthClientId }, nowMs) {
      const endpoint = openCallsOf(endpoints, endpointId);
      const client = openCallsOf(clients, oauthClientId);
      const waitMs =
        waitAt(endpoint, limitOf(endpoint), nowMs) ??
        waitAt(client, shareOfClient(freeSlots), nowMs);
      if (waitMs !== null) return waitMs;
      freeSlots -= 1;
      endpoint.openSinceMs.push(nowMs);
      client.openSinceMs.push(nowMs);
      return null;
    },
    release({ endpointId, oauthClientId }, call) {
      freeSlots += 1;
      leave(endpoints, endpointId, call);
      leave(clients, oauthClientId, call);
    },
  };
}

function openCallsOf(gates: Map<string, OpenCalls>, id: string): OpenCalls {
  const gate = gates.get(id) ?? { openSinceMs: [], slowInARow: 0, latencyMs: 0, busyUntilMs: 0 };
  gates.set(id, gate);
  return gate;
}

function leave(
  gates: Map<string, OpenCalls>,
  id: string,
  { isSlow, latencyMs }: Parameters<EndpointLimiter['release']>[1],
): void {
  const gate = openCallsOf(gates, id);
  gate.openSinceMs.shift();
  gate.slowInARow = isSlow ? gate.slowInARow + 1 : 0;
  gate.latencyMs = latencyMs;
  if (gate.openSinceMs.length === 0 && gate.slowInARow === 0) gates.delete(id);
}

export function isSlow(answer: CallResult | null): boolean {
  if (answer === null) return false;
  const isTimeout = answer.kind === 'no_answer' && answer.error === 'timeout';
  return isTimeout || answer.latencyMs >= SLOW_CALL_MS;
}

function limitOf({ slowInARow }: OpenCalls): number {
  return slowInARow >= SLOW_AFTER_CALLS ? OPEN_CALLS_WHILE_SLOW : OPEN_CALLS;
}

/**
 * All endpoints of a client together have at most half as many calls open as there are slots free. So
 * each client that begins to hang takes less than the one before, and the worker never runs full.
 */
function shareOfClient(freeSlots: number): number {
  return Math.floor(freeSlots / 2);
}

/**
 * Null where there is room. Those that wait are retried at the pace at which calls end, not all at once. A
 * call that is still open has taken its age already, which is all that is known before the first one timed out.
 */
function waitAt(gate: OpenCalls, limit: number, nowMs: number): number | null {
  if (gate.openSinceMs.length < limit) return null;
  const oldestMs = nowMs - (gate.openSinceMs[0] ?? nowMs);
  const callMs = Math.max(gate.latencyMs, oldestMs);
  gate.busyUntilMs = Math.max(gate.busyUntilMs, nowMs) + callMs / Math.max(limit, 1);
  const waitMs = gate.busyUntilMs - nowMs;
  const cappedMs = Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
  gate.busyUntilMs = Math.min(gate.busyUntilMs, nowMs + LONGEST_WAIT_MS);
  return Math.round(cappedMs);
}
