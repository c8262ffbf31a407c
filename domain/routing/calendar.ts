import { localTime, offsetSpans, startOfDate } from './local-time.ts';
import { windowsByDay, type Window, type WorkingHours } from './working-hours.ts';

/** A date is the whole day in the agent's time zone, `to` inclusive. A time carries its offset. */
export interface Period {
  from: string;
  to: string;
}

/** Hours in place of an agent's usual ones; `from` and `to` are dates. */
export interface DatedHours extends Period {
  workingHours: WorkingHours;
}

export interface Calendar {
  workingHours: WorkingHours;
  /** If two cover a day, the one that begins later counts. Stored rosters of earlier versions have none. */
  datedHours?: readonly DatedHours[];
  timeZone: string;
  absences: readonly Period[];
  holidays: readonly Period[];
}

/** A time span from `startMs` up to, but without, `endMs`. */
interface Span {
  startMs: number;
  endMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
const A_MONDAY_MS = Date.UTC(1970, 0, 5);
/** The longest wait for an agent. */
const FAR_MS = 366 * DAY_MS;

type Absences = Pick<Calendar, 'absences' | 'timeZone'>;

export function isAbsentAt({ absences, timeZone }: Absences, at: Date): boolean {
  return absences.some((period) => isWithin(period, timeZone, at));
}

/** The `to` of the last of the absences that follow each other without a break. Null if the agent is not absent. */
export function absentUntil({ absences, timeZone }: Absences, at: Date): string | null {
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

export type AgentState = 'working' | 'absent' | 'holiday' | 'outside_working_hours';

export function agentStateAt(calendar: Calendar, at: Date): AgentState {
  if (isAbsentAt(calendar, at)) return 'absent';
  if (isHolidayAt(calendar, at)) return 'holiday';
  return isWithinHours(calendar, at) ? 'working' : 'outside_working_hours';
}

export function isWorkingAt(calendar: Calendar, at: Date): boolean {
  return agentStateAt(calendar, at) === 'working';
}

/** Unreadable hours and unknown zones count as not worked, unless the agent always works. */
function isWithinHours(calendar: Calendar, at: Date): boolean {
  const { workingHours, datedHours = [], timeZone } = calendar;
  if (datedHours.length === 0 && Object.keys(workingHours).length === 0) return true;
  const local = localTime(at, timeZone);
  if (!local) return false;
  const windowsOn = createWindows(calendar);
  const todayMs = Date.parse(local.date);
  const isIn = (dayMs: number, minute: number) =>
    windowsOn(dayMs).some((each) => minute >= each.startMinute && minute < each.endMinute);
  return (
    isIn(todayMs, local.minuteOfDay) || isIn(todayMs - DAY_MS, local.minuteOfDay + DAY_MINUTES)
  );
}

/** Whether dated hours count, rather than the others, on the days that both cover. */
export function goesBefore(hours: Period, others: Period): boolean {
  return hours.from === others.from ? hours.to < others.to : hours.from > others.from;
}

/** Returns the hours that begin on a day, which is given by its midnight as if in UTC. */
function createWindows({ workingHours, datedHours = [] }: Calendar): (dayMs: number) => Window[] {
  const usual = windowsByDay(workingHours);
  const dated = datedHours
    .map(({ from, to, workingHours: hours }) => ({
      firstMs: Date.parse(from),
      lastMs: Date.parse(to),
      windows: windowsByDay(hours),
    }))
    .toSorted((a, b) => b.firstMs - a.firstMs || a.lastMs - b.lastMs);
  return (dayMs) => {
    const weekday = Math.floor((dayMs - A_MONDAY_MS) / DAY_MS) % 7;
    const onDay = dated.find(({ firstMs, lastMs }) => dayMs >= firstMs && dayMs <= lastMs);
    return (onDay?.windows ?? usual).at(weekday) ?? [];
  };
}

/** The earliest instant from `from` on at which the agent works. Null if there is none before `until`. */
export function nextWorkingMoment(calendar: Calendar, from: Date, until: Date): Date | null {
  for (const { startMs } of workingSpans(calendar, from, until)) return new Date(startMs);
  return null;
}

/** The earliest instant by which that much working time has passed. Null if not within a year. */
export function addWorkingTime(calendar: Calendar, from: Date, ms: number): Date | null {
  if (ms <= 0) return from;
  const until = new Date(from.getTime() + FAR_MS);
  let leftMs = ms;
  for (const { startMs, endMs } of workingSpans(calendar, from, until)) {
    if (endMs - startMs >= leftMs) return new Date(startMs + leftMs);
    leftMs -= endMs - startMs;
  }
  return null;
}

/** Returns a function that counts the milliseconds worked between two instants within `from` and `until`, by two lookups. */
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
 * Lists the agent's working time in order, without absences and holidays. Hours are wall-clock time: a span that the clock
 * skips is not worked, and one that it shows twice is worked twice.
 */
export function* workingSpans(calendar: Calendar, from: Date, until: Date): Generator<Span> {
  const { timeZone, absences, holidays } = calendar;
  const windowsOn = createWindows(calendar);
  const free = [...absences, ...holidays]
    .map((period) => spanOf(period, timeZone))
    .filter(({ startMs, endMs }) => !(startMs >= until.getTime()) && !(endMs <= from.getTime()))
    .toSorted((a, b) => a.startMs - b.startMs);
  for (const { offsetMs, ...span } of offsetSpans(timeZone, from.getTime(), until.getTime()))
    for (const { startMs, endMs } of spansOnWall(windowsOn, shift(span, offsetMs)))
      yield* withoutFree(shift({ startMs, endMs }, -offsetMs), free);
}

export function spanOf({ from, to }: Period, timeZone: string): Span {
  const startMs = isDate(from) ? startOfDate(from, timeZone) : Date.parse(from);
  return { startMs, endMs: isDate(to) ? startOfDate(dayAfter(to), timeZone) : Date.parse(to) };
}

/** An unreadable period never ends: its agent is excluded, and the explanation says so. */
export function isWithin(period: Period, timeZone: string, at: Date): boolean {
  const { startMs, endMs } = spanOf(period, timeZone);
  return !(at.getTime() < startMs) && !(at.getTime() >= endMs);
}

function isDate(text: string): boolean {
  return !text.includes('T');
}

function dayAfter(date: string): string {
  const ms = Date.parse(date) + DAY_MS;
  return Number.isNaN(ms) ? date : dateOf(ms);
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function shift({ startMs, endMs }: Span, byMs: number): Span {
  return { startMs: startMs + byMs, endMs: endMs + byMs };
}

/** The working time in a span of local time. Hours of the day before may run into its first day. */
function* spansOnWall(
  windowsOn: (dayMs: number) => Window[],
  { startMs: fromMs, endMs: untilMs }: Span,
): Generator<Span> {
  let doneMs = fromMs;
  const firstDayMs = Math.floor(fromMs / DAY_MS) * DAY_MS;
  for (let dayMs = firstDayMs - DAY_MS; dayMs < untilMs; dayMs += DAY_MS)
    for (const { startMinute, endMinute } of windowsOn(dayMs)) {
      const startMs = Math.max(dayMs + startMinute * MINUTE_MS, doneMs);
      const endMs = Math.min(dayMs + endMinute * MINUTE_MS, untilMs);
      if (startMs >= endMs) continue;
      yield { startMs, endMs };
      doneMs = endMs;
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

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** One day of an agent's calendar, by the clock of their zone. */
export interface CalendarDay<Named extends Calendar = Calendar> {
  date: string;
  weekday: string;
  /** The hours at work, such as `09:00-13:00`, without what absences and holidays take. */
  hours: string[];
  absences: Named['absences'][number][];
  holidays: Named['holidays'][number][];
}

/** Lists `count` days, beginning with that of `now`. */
export function calendarDays<Named extends Calendar>(
  calendar: Named,
  now: Date,
  count: number,
): CalendarDay<Named>[] {
  const { timeZone, absences, holidays } = calendar;
  const today = Date.parse(localTime(now, timeZone)?.date ?? '');
  return Array.from({ length: count }, (_, at) => {
    const date = dateOf(today + at * DAY_MS);
    const day = spanOf({ from: date, to: date }, timeZone);
    const isOnDay = (period: Period) => overlap(spanOf(period, timeZone), day);
    return {
      date,
      weekday: WEEKDAYS[(new Date(date).getUTCDay() + 6) % 7] ?? '',
      hours: hoursOf(calendar, day),
      absences: absences.filter(isOnDay),
      holidays: holidays.filter(isOnDay),
    };
  });
}

/** Formats a local time such as `Mon 2026-12-28 09:00`. */
export function localText(at: Date, timeZone: string): string {
  const { weekday = 0, date = '' } = localTime(at, timeZone) ?? {};
  return `${WEEKDAYS[weekday]} ${date} ${clockText(at.getTime(), timeZone)}`;
}

function overlap(a: Span, b: Span): boolean {
  return a.startMs < b.endMs && b.startMs < a.endMs;
}

function hoursOf(calendar: Calendar, day: Span): string[] {
  const spans: Span[] = [];
  for (const span of workingSpans(calendar, new Date(day.startMs), new Date(day.endMs))) {
    const last = spans.at(-1);
    if (last?.endMs === span.startMs) last.endMs = span.endMs;
    else spans.push({ ...span });
  }
  const clock = (ms: number) => clockText(ms, calendar.timeZone);
  return spans.map(
    ({ startMs, endMs }) => `${clock(startMs)}-${endMs === day.endMs ? '24:00' : clock(endMs)}`,
  );
}

function clockText(ms: number, timeZone: string): string {
  const { minuteOfDay = 0 } = localTime(new Date(ms), timeZone) ?? {};
  const [hours, minutes] = [Math.floor(minuteOfDay / 60), minuteOfDay % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}
