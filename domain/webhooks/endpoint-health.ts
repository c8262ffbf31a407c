/** When an endpoint has failed for so long that it is switched off (Events). */
const DAY_MS = 24 * 3_600_000;
const SWITCH_OFF_AFTER_MS = 5 * DAY_MS;

/**
 * Longer than the whole schedule. A quiet time longer than this is no failing: one lost call after a
 * silent week must not switch off an endpoint whose last event failed.
 */
const QUIET_TIME_MS = 2 * DAY_MS;

export interface EndpointHealth {
  failingSince: Date | null;
  lastFailureAt: Date | null;
}

/** Since when the endpoint fails, now that it failed at `at`. */
export function failingSince(health: EndpointHealth, at: Date): Date {
  const { failingSince: since, lastFailureAt } = health;
  const wasQuiet = lastFailureAt !== null && at.getTime() - lastFailureAt.getTime() > QUIET_TIME_MS;
  return since === null || wasQuiet ? at : since;
}

export function isToBeSwitchedOff(failingSince: Date, at: Date): boolean {
  return at.getTime() - failingSince.getTime() >= SWITCH_OFF_AFTER_MS;
}
