/** Why `text` cannot be the address of an endpoint, or null where it can. */
export function endpointUrlError(text: string, allowHttp: boolean): string | null {
  if (!URL.canParse(text)) return 'It is not a URL.';
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'It is not an https address.';
  if (protocol === 'http:' && !allowHttp) {
    return 'Plain http is for development only: use https, or say --allow-http.';
  }
  // Lists and logs would show them; the signature authenticates the call.
  if (username !== '' || password !== '') return 'It must not hold a user name or password.';
  return null;
}

const DAY_MS = 24 * 3_600_000;
const SWITCH_OFF_AFTER_MS = 5 * DAY_MS;
const ALERT_AFTER_MS = DAY_MS;

/**
 * Longer than the whole retry schedule. Failures further apart than this do not add up: one lost call
 * after a quiet week must not switch off an endpoint whose last event failed.
 */
const QUIET_TIME_MS = 2 * DAY_MS;

export interface EndpointHealth {
  failingSince: Date | null;
  lastFailureAt: Date | null;
}

/** Since when the endpoint has been failing, given one more failure at `at`. */
export function failingSince(health: EndpointHealth, at: Date): Date {
  const { failingSince: since, lastFailureAt } = health;
  const wasQuiet = lastFailureAt !== null && at.getTime() - lastFailureAt.getTime() > QUIET_TIME_MS;
  return since === null || wasQuiet ? at : since;
}

export function hasFailedTooLong(failingSince: Date, at: Date): boolean {
  return at.getTime() - failingSince.getTime() >= SWITCH_OFF_AFTER_MS;
}

/** From when on the client is told that the endpoint fails: by the first failure from then on. */
export function failingAlertAt(failingSince: Date): Date {
  return new Date(failingSince.getTime() + ALERT_AFTER_MS);
}
