/** Retries of Events: after try n the next one waits schedule[n - 1]; after the last there is none. */
const MAX_JITTER = 0.1;
const HOUR_MS = 3_600_000;
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * How long to wait after try `attempt` (1 for the first) failed; null when it was the last. Jitter, 0 to 1,
 * only ever lengthens the delay, by at most a tenth, so that no try comes before the table says.
 */
export function nextDelayMs(
  attempt: number,
  scheduleMs: readonly number[],
  jitter: number,
  retryAfterMs: number | null,
): number | null {
  const delayMs = scheduleMs[attempt - 1];
  if (delayMs === undefined) return null;
  const spreadMs = Math.round(delayMs * (1 + MAX_JITTER * jitter));
  return Math.max(spreadMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}
