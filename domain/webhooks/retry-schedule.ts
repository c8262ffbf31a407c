const MAX_JITTER = 0.1;
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** Null after the last attempt. Jitter, 0 to 1, only lengthens the delay: no attempt comes before its time. */
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

const IMF_FIXDATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const SECONDS = /^\d+$/;

/** In seconds or as an HTTP date. Null if it is neither. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1000;
  if (!IMF_FIXDATE.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
