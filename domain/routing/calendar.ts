import { localTime, offsetSpans, startOfDate } from './local-time.ts';
import { windowsByDay, type WorkingHours } from './working-hours.ts';

/** A date is the whole day in the agent's time zone, `to` inclusive. A time has an offset. */
export interface Period {
  from: string;
  to: string;
}

export interface DatedHours extends Period {
  workingHours: WorkingHours;
}

export interface Calendar {
  workingHours: WorkingHours;
  datedHours?: readonly DatedHours[];
  timeZone: string;
  absences: readonly Period[];
  holidays: readonly Period[];
}

interface Span {
  startMs: number;
  endMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const DAY_MS = DAY_MINUTES * MINUTE_MS;
const A_MONDAY_MS = Date.UTC(1970, 0, 5);
export const FAR_MS = 366 * DAY_MS;

type Presence = Omit<Calendar, 'holidays'>;

/** An absence takes whole shifts. Between shifts the day counts. */
export function isAbsentAt(calendar: Presence, at: Date): boolean {
  return isFreeAt(calendar, calendar.absences, at);
}

export function isHolidayAt(calendar: Calendar, at: Date): boolean {
  return isFreeAt(calendar, calendar.holidays, at);
}

function isFreeAt(calendar: Presence, periods: readonly Period[], at: Date): boolean {
  // A shift ends within two days of the one on which it begins.
  const isNear = (period: Period) => isWithin(period, calendar.timeZone, at, 2 * DAY_MS);
  const absences = periods.filter(isNear);
  if (absences.length === 0) return false;
  return nextPresentMoment({ ...calendar, absences }, at, momentAfter(at)) === null;
}

/** The end of consecutive absences, or of the shift that outlasts them. */
export function absentUntil(calendar: Presence, at: Date): string | null {
  if (!isAbsentAt(calendar, at)) return null;
  const { absences, timeZone } = calendar;
  const spans = absences
    .map((period) => ({ to: period.to, ...spanOf(period, timeZone) }))
    .toSorted((a, b) => a.startMs - b.startMs);
  let [until, untilMs]: [string | null, number] = [null, -Infinity];
  for (const { to, startMs, endMs } of spans)
    if (startMs <= Math.max(at.getTime(), untilMs) && endMs > untilMs)
      [until, untilMs] = [to, endMs];
  if (untilMs > at.getTime()) return until;
  const presentAt = nextPresentMoment(calendar, at, new Date(at.getTime() + FAR_MS));
  return presentAt?.toISOString() ?? null;
}

export type AgentState = 'working' | 'absent' | 'holiday' | 'outside_working_hours';

export function agentStateAt(calendar: Calendar, at: Date): AgentState {
  if (isAbsentAt(calendar, at)) return 'absent';
  if (isHolidayAt(calendar, at)) return 'holiday';
  return isWorkingAt(calendar, at) ? 'working' : 'outside_working_hours';
}

/** Unreadable hours and unknown zones count as not worked. */
export function isWorkingAt(calendar: Calendar, at: Date): boolean {
  return nextWorkingMoment(calendar, at, momentAfter(at)) !== null;
}

const momentAfter = (at: Date) => new Date(at.getTime() + 1);

export function goesBefore(hours: Period, others: Period): boolean {
  return hours.from === others.from ? hours.to < others.to : hours.from > others.from;
}

/** By wall-clock time: a day is its midnight as if in UTC. */
type ShiftsOn = (dayMs: number) => Span[];

function createShifts({ workingHours, datedHours = [] }: Presence): ShiftsOn {
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
    const windows = (onDay?.windows ?? usual).at(weekday) ?? [];
    return windows.map(({ startMinute, endMinute }) => ({
      startMs: dayMs + startMinute * MINUTE_MS,
      endMs: dayMs + endMinute * MINUTE_MS,
    }));
  };
}

function createPresence(calendar: Presence): ShiftsOn {
  const shiftsOn = createShifts(calendar);
  return (dayMs) => {
    const shifts = shiftsOn(dayMs);
    const day = { startMs: dayMs, endMs: dayMs + DAY_MS };
    const between = withoutFree(day, [...shiftsOn(dayMs - DAY_MS), ...shifts]);
    return [...shifts, ...between].toSorted((a, b) => a.startMs - b.startMs);
  };
}

export function nextWorkingMoment(...given: Parameters<typeof workingSpans>): Date | null {
  const [first] = workingSpans(...given);
  return first ? new Date(first.startMs) : null;
}

export function nextPresentMoment(calendar: Presence, from: Date, until: Date): Date | null {
  return nextWorkingMoment({ ...calendar, holidays: [] }, from, until, createPresence(calendar));
}

/** Null if not within a year. */
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

/** Wall-clock hours: the clock may skip a span, or show it twice. */
export function* workingSpans(
  calendar: Calendar,
  from: Date,
  until: Date,
  shiftsOn = createShifts(calendar),
): Generator<Span> {
  const { timeZone, absences, holidays } = calendar;
  const freeOn = (dayMs: number) => freeTime([...absences, ...holidays], dayMs);
  let doneMs = from.getTime();
  for (const { offsetMs, ...span } of offsetSpans(timeZone, doneMs, until.getTime()))
    for (const { dayMs, ...part } of shiftsWithin(shift(span, offsetMs), shiftsOn))
      for (const { startMs, endMs } of withoutFree(shift(part, -offsetMs), freeOn(dayMs))) {
        if (endMs > doneMs) yield { startMs: Math.max(startMs, doneMs), endMs };
        doneMs = Math.max(doneMs, endMs);
      }
}

export function spanOf({ from, to }: Period, timeZone: string): Span {
  const startMs = isDate(from) ? startOfDate(from, timeZone) : Date.parse(from);
  return { startMs, endMs: isDate(to) ? startOfDate(dayAfter(to), timeZone) : Date.parse(to) };
}

/** An unreadable period never ends: its agent is excluded, and the explanation says so. */
export function isWithin(period: Period, timeZone: string, at: Date, laterMs = 0): boolean {
  const { startMs, endMs } = spanOf(period, timeZone);
  return !(at.getTime() < startMs) && !(at.getTime() >= endMs + laterMs);
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

function* shiftsWithin({ startMs: fromMs, endMs: untilMs }: Span, shiftsOn: ShiftsOn) {
  const firstDayMs = Math.floor(fromMs / DAY_MS) * DAY_MS;
  for (let dayMs = firstDayMs - DAY_MS; dayMs < untilMs; dayMs += DAY_MS)
    for (const each of shiftsOn(dayMs)) {
      const [startMs, endMs] = [Math.max(each.startMs, fromMs), Math.min(each.endMs, untilMs)];
      if (startMs < endMs) yield { dayMs, startMs, endMs };
    }
}

/** A date takes a whole shift, with its end after midnight, or nothing of it. */
function freeTime(periods: readonly Period[], dayMs: number): Span[] {
  const startOf = (from: string) => (dayMs < Date.parse(from) ? Infinity : -Infinity);
  const endOf = (to: string) => (dayMs > Date.parse(to) ? -Infinity : Infinity);
  return periods
    .map(({ from, to }) => ({
      startMs: isDate(from) ? startOf(from) : Date.parse(from),
      endMs: isDate(to) ? endOf(to) : Date.parse(to),
    }))
    .filter(({ startMs, endMs }) => !(startMs >= endMs))
    .toSorted((a, b) => a.startMs - b.startMs);
}

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

export interface CalendarDay<Named extends Calendar = Calendar> {
  date: string;
  weekday: string;
  hours: string[];
  absences: Named['absences'][number][];
  holidays: Named['holidays'][number][];
}

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

/** `Mon 2026-12-28 09:00` */
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
