/**
 * How many calls of one endpoint a worker has open at once. Without a limit an endpoint that hangs would
 * take every slot of the worker and hold up everybody's deliveries; Temporal's fairness keys order what
 * waits in the queue, but cannot free a slot that is taken.
 */
export const OPEN_CALLS = 20;
/** For an endpoint whose calls time out one after the other. */
export const OPEN_CALLS_WHILE_HANGING = 2;

const HANGING_AFTER_TIMEOUTS = 3;
const SHORTEST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

export interface EndpointSlots {
  /** Null when a slot was taken (give it back); else how long to wait before asking again. */
  take(endpointId: string, nowMs: number): number | null;
  giveBack(endpointId: string, call: { timedOut: boolean; latencyMs: number }): void;
}

interface EndpointState {
  open: number;
  timeoutsInARow: number;
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
      if (state.open >= limit) return queueUp(state, limit, nowMs);
      state.open += 1;
      return null;
    },
    giveBack(endpointId, { timedOut, latencyMs }) {
      const state = endpoints.get(endpointId);
      if (!state) return;
      state.open -= 1;
      state.timeoutsInARow = timedOut ? state.timeoutsInARow + 1 : 0;
      state.latencyMs = latencyMs;
      if (state.open === 0 && state.timeoutsInARow === 0) endpoints.delete(endpointId);
    },
  };
}

function idle(): EndpointState {
  return { open: 0, timeoutsInARow: 0, latencyMs: 0, busyUntilMs: 0 };
}

function limitOf({ timeoutsInARow }: EndpointState): number {
  return timeoutsInARow >= HANGING_AFTER_TIMEOUTS ? OPEN_CALLS_WHILE_HANGING : OPEN_CALLS;
}

/** Those who wait come back at the pace at which the endpoint answers, not all at once. */
function queueUp(state: EndpointState, limit: number, nowMs: number): number {
  state.busyUntilMs = Math.max(state.busyUntilMs, nowMs) + state.latencyMs / limit;
  const waitMs = state.busyUntilMs - nowMs;
  const cappedMs = Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
  state.busyUntilMs = Math.min(state.busyUntilMs, nowMs + LONGEST_WAIT_MS);
  return Math.round(cappedMs);
}
