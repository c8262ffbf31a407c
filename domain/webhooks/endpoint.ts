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

/** Longer than the whole retry schedule. */
const QUIET_TIME_MS = 2 * DAY_MS;

export interface EndpointHealth {
  failingSince: Date | null;
  lastFailureAt: Date | null;
}

/** Since when every call to the endpoint has failed, given one more failure at `at`. */
export function failingSince({ failingSince: since }: EndpointHealth, at: Date): Date {
  return since ?? at;
}

/** The first call after a quiet time may be lost for another reason: its retry decides. */
export function hasFailedTooLong({ failingSince, lastFailureAt }: EndpointHealth, at: Date) {
  if (failingSince === null || lastFailureAt === null) return false;
  const wasQuiet = at.getTime() - lastFailureAt.getTime() > QUIET_TIME_MS;
  return !wasQuiet && at.getTime() - failingSince.getTime() >= SWITCH_OFF_AFTER_MS;
}

/** From when on the client is told that the endpoint fails: by the first failure from then on. */
export function failingAlertAt(failingSince: Date): Date {
  return new Date(failingSince.getTime() + ALERT_AFTER_MS);
}
