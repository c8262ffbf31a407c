import { offsetSpans, startOfDate } from './local-time.ts';
import { isWithinWorkingHours, windowsOfWeek, type WorkingHours } from './working-hours.ts';

/** A date is the whole day in the agent's time zone, `to` inclusive; a time carries its offset. */
export interface Period {
  from: string;
  to: string;
}

/** When one agent works. */
export interface Calendar {
  workingHours: WorkingHours;
  timeZone: string;
  absences: readonly Period[];
  holidays: readonly Period[];
}

/** From `startMs` up to `endMs`, which is no longer in it. */
export interface Span {
  startMs: number;
  endMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
const A_MONDAY_MS = Date.UTC(1970, 0, 5);
/** No agent is waited for longer. */
const FAR_MS = 366 * DAY_MS;

export function isAbsentAt(
  { absences, timeZone }: Pick<Calendar, 'absences' | 'timeZone'>,
  at: Date,
): boolean {
  return absences.some((period) => isWithin(period, timeZone, at));
}

/** The end of the absences that follow each other without a break, as the last of them says it; null: not absent. */
export function absentUntil(
  { absences, timeZone }: Pick<Calendar, 'absences' | 'timeZone'>,
  at: Date,
): string | null {
  const spans = absences
    .map((period) => ({ to: period.to, ...spanOf(period, timeZone) }))
    .toSorted((a, b) => a.startMs - b.startMs);
  let until: string | null = null;
  let untilMs = at.getTime();
  for (const { to, startMs, endMs } of spans)
    if (startMs <= untilMs && endMs > untilMs) [until, untilMs] = [to, endMs];
  return until;
}

export function isHolidayAt({ holidays, timeZone }: Calendar, at: Date): boolean {
  return holidays.some((period) => isWithin(period, timeZone, at));
}

export function isWorkingAt(calendar: Calendar, at: Date): boolean {
  const { workingHours, timeZone } = calendar;
  const isFree = isAbsentAt(calendar, at) || isHolidayAt(calendar, at);
  return !isFree && isWithinWorkingHours(workingHours, timeZone, at);
}

/** The earliest instant from `from` on at which the agent works; null: none before `until`. */
export function nextWorkingMoment(calendar: Calendar, from: Date, until: Date): Date | null {
  for (const { startMs } of workingSpans(calendar, from, until)) return new Date(startMs);
  return null;
}

/** The earliest instant by which that much working time has passed; null: not within a year. */
export function addWorkingTime(calendar: Calendar, from: Date, ms: number): Date | null {
  if (ms <= 0) return from;
  let leftMs = ms;
  for (const { startMs, endMs } of workingSpans(
    calendar,
    from,
    new Date(from.getTime() + FAR_MS),
  )) {
    if (endMs - startMs >= leftMs) return new Date(startMs + leftMs);
    leftMs -= endMs - startMs;
  }
  return null;
}

/** How many milliseconds the agent works between two instants within `from` and `until`: two look-ups for each pair. */
export function createWorkingTime(calendar: Calendar, from: Date, until: Date) {
  const spans = [...workingSpans(calendar, from, until)];
  let sumMs = 0;
  const sums = spans.map(({ startMs, endMs }) => (sumMs += endMs - startMs));
  const workedUntil = (ms: number): number => {
    let [low, high] = [0, spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.startMs ?? 0) <= ms) low = middle + 1;
      else high = middle;
    }
    const { endMs = ms } = spans[low - 1] ?? {};
    return (sums[low - 1] ?? 0) - Math.max(0, endMs - ms);
  };
  return (fromMs: number, toMs: number): number => workedUntil(toMs) - workedUntil(fromMs);
}

/**
 * The agent's working time in order, without absences and holidays. Hours are those on the wall: a span
 * that the clock skips is not worked, one that it shows twice is worked twice.
 */
export function* workingSpans(calendar: Calendar, from: Date, until: Date): Generator<Span> {
  const { workingHours, timeZone, absences, holidays } = calendar;
  const windows = windowsOfWeek(workingHours);
  const free = [...absences, ...holidays]
    .map((period) => spanOf(period, timeZone))
    .filter(({ startMs, endMs }) => !(startMs >= until.getTime()) && !(endMs <= from.getTime()))
    .toSorted((a, b) => a.startMs - b.startMs);
  for (const { offsetMs, ...span } of offsetSpans(timeZone, from.getTime(), until.getTime()))
    for (const { startMs, endMs } of spansOnWall(windows, shift(span, offsetMs)))
      yield* withoutFree(shift({ startMs, endMs }, -offsetMs), free);
}

/** The instants of a period. */
export function spanOf({ from, to }: Period, timeZone: string): Span {
  const startMs = isDate(from) ? startOfDate(from, timeZone) : Date.parse(from);
  return { startMs, endMs: isDate(to) ? startOfDate(dayAfter(to), timeZone) : Date.parse(to) };
}

/** A period that cannot be read is over at no time: its agent is left out, and the explanation says so. */
export function isWithin(period: Period, timeZone: string, at: Date): boolean {
  const { startMs, endMs } = spanOf(period, timeZone);
  return !(at.getTime() < startMs) && !(at.getTime() >= endMs);
}

function isDate(text: string): boolean {
  return !text.includes('T');
}

function dayAfter(date: string): string {
  const ms = Date.parse(date) + DAY_MS;
  return Number.isNaN(ms) ? date : new Date(ms).toISOString().slice(0, 10);
}

function shift({ startMs, endMs }: Span, byMs: number): Span {
  return { startMs: startMs + byMs, endMs: endMs + byMs };
}

/** The windows of every week that lie in a span of local time. */
function* spansOnWall(
  windows: ReturnType<typeof windowsOfWeek>,
  { startMs: fromMs, endMs: untilMs }: Span,
): Generator<Span> {
  const firstWeek = Math.floor((fromMs - A_MONDAY_MS) / WEEK_MS);
  for (let weekMs = A_MONDAY_MS + firstWeek * WEEK_MS; weekMs < untilMs; weekMs += WEEK_MS)
    for (const { startMinute, endMinute } of windows) {
      const startMs = Math.max(weekMs + startMinute * MINUTE_MS, fromMs);
      const endMs = Math.min(weekMs + endMinute * MINUTE_MS, untilMs);
      if (startMs < endMs) yield { startMs, endMs };
    }
}

/** `free` is ordered by its starts. */
function* withoutFree({ startMs, endMs }: Span, free: readonly Span[]): Generator<Span> {
  let restMs = startMs;
  for (const each of free) {
    if (each.startMs >= endMs) break;
    if (each.startMs > restMs) yield { startMs: restMs, endMs: each.startMs };
    restMs = Math.max(restMs, each.endMs);
  }
  if (restMs < endMs) yield { startMs: restMs, endMs };
}
