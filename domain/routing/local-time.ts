const DAY_MS = 86_400_000;

/** Null for an unknown zone. */
export function localTime(now: Date, timeZone: string) {
  const ms = now.getTime();
  const spans = Number.isNaN(ms) ? [] : spansOfBlock(timeZone, Math.floor(ms / BLOCK_MS));
  const span = spans.find(({ startMs, endMs }) => ms >= startMs && ms < endMs);
  if (!span) return null;
  const local = new Date(ms + span.offsetMs);
  return {
    /** ISO 8601 */
    date: local.toISOString().slice(0, 10),
    /** 0 is Monday. */
    weekday: (local.getUTCDay() + 6) % 7,
    minuteOfDay: local.getUTCHours() * 60 + local.getUTCMinutes(),
  };
}

/** Not offsets (`+04:00` has another sign elsewhere) nor abbreviations (`AST` is Alaska's time or Arabia's). */
export function isTimeZone(timeZone: string): boolean {
  const isNamed = /^(utc$|[a-z]+\/)/i.test(timeZone) && !UNKNOWN_TO_POSTGRES.test(timeZone);
  return isNamed && formatFor(timeZone) !== null;
}

/** The IANA database has dropped them. */
const UNKNOWN_TO_POSTGRES = /^(systemv\/|us\/pacific-new$)/i;

/** Without a change of the clock: local time is UTC plus `offsetMs`, from `startMs` up to `endMs`. */
export interface OffsetSpan {
  startMs: number;
  endMs: number;
  offsetMs: number;
}

export function* offsetSpans(timeZone: string, fromMs: number, untilMs: number) {
  for (let block = Math.floor(fromMs / BLOCK_MS); block * BLOCK_MS < untilMs; block += 1)
    for (const { startMs, endMs, offsetMs } of spansOfBlock(timeZone, block))
      if (endMs > fromMs && startMs < untilMs)
        yield { startMs: Math.max(startMs, fromMs), endMs: Math.min(endMs, untilMs), offsetMs };
}

/** If the clock skips midnight, the instant of the change. */
export function startOfDate(date: string, timeZone: string): number {
  return instantOf(Date.parse(date), timeZone);
}

/** `localMs` is a local time as if in UTC. The first instant counts; a skipped time is the instant of the change. */
export function instantOf(localMs: number, timeZone: string): number {
  for (const { startMs, endMs, offsetMs } of offsetSpans(
    timeZone,
    localMs - DAY_MS,
    localMs + DAY_MS,
  ))
    if (localMs < endMs + offsetMs) return Math.max(startMs, localMs - offsetMs);
  return Number.NaN;
}

export function startOfDay(now: Date, timeZone: string): Date | null {
  const today = localTime(now, timeZone);
  return today && new Date(startOfDate(today.date, timeZone));
}

/** Cached by blocks, since reading the clock of a zone costs more than all that uses it. */
const BLOCK_MS = 64 * DAY_MS;
const blocks = new Map<string, readonly OffsetSpan[]>();

function spansOfBlock(timeZone: string, block: number): readonly OffsetSpan[] {
  const key = `${timeZone} ${block}`;
  const known = blocks.get(key) ?? findSpans(timeZone, block * BLOCK_MS, (block + 1) * BLOCK_MS);
  blocks.set(key, known);
  return known;
}

/** No zone changes its clock twice within a day, so that one reading a day finds every change. */
function findSpans(timeZone: string, fromMs: number, untilMs: number): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  for (let startMs = fromMs; startMs < untilMs; startMs = spans.at(-1)?.endMs ?? untilMs) {
    const offsetMs = offsetAt(startMs, timeZone);
    if (offsetMs === null) return [];
    let endMs = startMs;
    let nextMs = startMs;
    do {
      endMs = nextMs;
      nextMs = Math.min(endMs + DAY_MS, untilMs);
    } while (endMs < untilMs && offsetAt(nextMs, timeZone) === offsetMs);
    spans.push({ startMs, endMs: findChange(timeZone, offsetMs, endMs, nextMs), offsetMs });
  }
  return spans;
}

function findChange(timeZone: string, offsetMs: number, sameMs: number, otherMs: number): number {
  let [same, other] = [sameMs, otherMs];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(middle, timeZone) === offsetMs) same = middle;
    else other = middle;
  }
  return other;
}

function offsetAt(ms: number, timeZone: string): number | null {
  const format = formatFor(timeZone);
  if (!format) return null;
  const numbers = format.format(ms).split(/\D+/).map(Number);
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = numbers;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

/** Creating a formatter costs far more than using it, and there are few zones. */
const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatFor(timeZone: string): Intl.DateTimeFormat | null {
  if (!formats.has(timeZone)) formats.set(timeZone, makeFormat(timeZone));
  return formats.get(timeZone) ?? null;
}

/** `11/26/2026, 20:15:00`: every build of Node has this locale. */
function makeFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}
