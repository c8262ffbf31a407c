import type { Answer } from '../../domain/webhooks/outcome.ts';

/**
 * How many calls of one endpoint a worker has open at once. Without a limit an endpoint that hangs would
 * take every slot of the worker and hold up everybody's deliveries; Temporal's fairness keys order what
 * waits in the queue, but cannot free a slot that is taken.
 */
export const OPEN_CALLS = 20;
/** For an endpoint whose calls take long one after the other. */
export const OPEN_CALLS_WHILE_SLOW = 2;

const SLOW_CALL_MS = 5000;
const SLOW_AFTER_CALLS = 3;
const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

export interface EndpointSlots {
  /** Null when a slot was taken (give it back); else how long to wait before asking again. */
  take(endpointId: string, nowMs: number): number | null;
  giveBack(endpointId: string, call: { isSlow: boolean; latencyMs: number }): void;
}

interface EndpointState {
  /** When the open calls began, the oldest first. */
  openSinceMs: number[];
  slowInARow: number;
  latencyMs: number;
  /** When all that were sent to wait will have had their turn. */
  busyUntilMs: number;
}

export function createEndpointSlots(): EndpointSlots {
  const endpoints = new Map<string, EndpointState>();
  return {
    take(endpointId, nowMs) {
      const state = endpoints.get(endpointId) ?? idle();
      endpoints.set(endpointId, state);
      const limit = limitOf(state);
      if (state.openSinceMs.length >= limit) return queueUp(state, limit, nowMs);
      state.openSinceMs.push(nowMs);
      return null;
    },
    giveBack(endpointId, { isSlow, latencyMs }) {
      const state = endpoints.get(endpointId);
      if (!state) return;
      state.openSinceMs.shift();
      state.slowInARow = isSlow ? state.slowInARow + 1 : 0;
      state.latencyMs = latencyMs;
      if (state.openSinceMs.length === 0 && state.slowInARow === 0) endpoints.delete(endpointId);
    },
  };
}

export function isSlow(answer: Answer | null): boolean {
  if (answer === null) return false;
  const isTimeout = answer.kind === 'no_answer' && answer.error === 'timeout';
  return isTimeout || answer.latencyMs >= SLOW_CALL_MS;
}

function idle(): EndpointState {
  return { openSinceMs: [], slowInARow: 0, latencyMs: 0, busyUntilMs: 0 };
}

function limitOf({ slowInARow }: EndpointState): number {
  return slowInARow >= SLOW_AFTER_CALLS ? OPEN_CALLS_WHILE_SLOW : OPEN_CALLS;
}

/**
 * Those who wait come back at the pace at which the endpoint answers, not all at once. A call that is
 * still open has taken its age already: before the first one timed out nothing else is known.
 */
function queueUp(state: EndpointState, limit: number, nowMs: number): number {
  const oldestMs = nowMs - (state.openSinceMs[0] ?? nowMs);
  const callMs = Math.max(state.latencyMs, oldestMs);
  state.busyUntilMs = Math.max(state.busyUntilMs, nowMs) + callMs / limit;
  const waitMs = state.busyUntilMs - nowMs;
  const cappedMs = Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
  state.busyUntilMs = Math.min(state.busyUntilMs, nowMs + LONGEST_WAIT_MS);
  return Math.round(cappedMs);
}
