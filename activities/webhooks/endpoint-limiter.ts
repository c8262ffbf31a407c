import type { CallResult } from '../../domain/webhooks/call-outcome.ts';
import type { DeliveryInput } from '../../workflows/contracts/webhook-delivery.ts';

export const CALL_SLOTS = 200;
/** So that one endpoint that hangs does not take every slot: Temporal's fairness keys free none that is taken. */
export const OPEN_CALLS = 20;
export const OPEN_CALLS_WHILE_SLOW = 2;
/** Each further client whose endpoints hang takes fewer free slots, so that some stay free. */
const SHARE_OF_CLIENT = 0.5;

const SLOW_CALL_MS = 5000;
const SLOW_AFTER_CALLS = 3;
const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

type Delivery = Pick<DeliveryInput, 'endpointId' | 'oauthClientId'>;

export type EndpointLimiter = ReturnType<typeof createEndpointLimiter>;

interface OpenCalls {
  openSinceMs: number[];
  slowInARow: number;
  latencyMs: number;
  /** When the calls throttled so far will have been made. */
  busyUntilMs: number;
}

export function createEndpointLimiter(callSlots = CALL_SLOTS) {
  const endpoints = new Map<string, OpenCalls>();
  const clients = new Map<string, OpenCalls>();
  let freeSlots = callSlots;
  return {
    /** Null if a call may be made, to be released later. Otherwise the time to wait before the next attempt. */
    acquire({ endpointId, oauthClientId }: Delivery, nowMs: number): number | null {
      const endpoint = openCallsOf(endpoints, endpointId);
      const client = openCallsOf(clients, oauthClientId);
      const waitMs =
        waitAt(endpoint, limitOf(endpoint), nowMs) ??
        waitAt(client, Math.floor(freeSlots * SHARE_OF_CLIENT), nowMs);
      if (waitMs !== null) return waitMs;
      freeSlots -= 1;
      endpoint.openSinceMs.push(nowMs);
      client.openSinceMs.push(nowMs);
      return null;
    },
    /** `result` is null if the call ended in an error of this service. */
    release({ endpointId, oauthClientId }: Delivery, result: CallResult | null): void {
      freeSlots += 1;
      endCall(endpoints, endpointId, result);
      endCall(clients, oauthClientId, result);
    },
  };
}

function openCallsOf(all: Map<string, OpenCalls>, id: string): OpenCalls {
  const calls = all.get(id) ?? { openSinceMs: [], slowInARow: 0, latencyMs: 0, busyUntilMs: 0 };
  all.set(id, calls);
  return calls;
}

function endCall(all: Map<string, OpenCalls>, id: string, result: CallResult | null): void {
  const calls = openCallsOf(all, id);
  calls.openSinceMs.shift();
  calls.slowInARow = isSlow(result) ? calls.slowInARow + 1 : 0;
  calls.latencyMs = result?.latencyMs ?? 0;
  if (calls.openSinceMs.length === 0 && calls.slowInARow === 0) all.delete(id);
}

function isSlow(result: CallResult | null): boolean {
  if (result === null) return false;
  const isTimeout = result.kind === 'no_response' && result.error === 'timeout';
  return isTimeout || result.latencyMs >= SLOW_CALL_MS;
}

function limitOf({ slowInARow }: OpenCalls): number {
  return slowInARow >= SLOW_AFTER_CALLS ? OPEN_CALLS_WHILE_SLOW : OPEN_CALLS;
}

/** Retries at the pace at which calls end. The latency is at least the age of the oldest open call. */
function waitAt(calls: OpenCalls, limit: number, nowMs: number): number | null {
  if (calls.openSinceMs.length < limit) return null;
  const oldestMs = nowMs - (calls.openSinceMs[0] ?? nowMs);
  const callMs = Math.max(calls.latencyMs, oldestMs);
  calls.busyUntilMs = Math.max(calls.busyUntilMs, nowMs) + callMs / Math.max(limit, 1);
  const waitMs = calls.busyUntilMs - nowMs;
  const cappedMs = Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
  calls.busyUntilMs = Math.min(calls.busyUntilMs, nowMs + LONGEST_WAIT_MS);
  return Math.round(cappedMs);
}
