import { localTime } from './local-time.ts';

/** Days to times of day: `{ "mon-fri": "09:00-13:00,15:00-18:00", "sat": "10:00-14:00" }`. */
export type WorkingHours = Readonly<Record<string, string>>;

interface Window {
  startMinute: number;
  /** Beyond a day's 1440 minutes when the window runs over midnight. */
  endMinute: number;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MINUTES_A_DAY = 24 * 60;

/**
 * Whether an agent is inside their own hours, in their own time zone. No hours at all counts as always
 * there; hours or a zone that cannot be read count as not there. Entries that name the same day add up.
 */
export function isWithinWorkingHours(hours: WorkingHours, timeZone: string, now: Date): boolean {
  if (Object.keys(hours).length === 0) return true;
  const local = localTime(now, timeZone);
  if (!local) return false;
  const { weekday, minuteOfDay } = local;
  const isInside = (day: number, minute: number) =>
    windowsOn(hours, day).some((each) => minute >= each.startMinute && minute < each.endMinute);
  return isInside(weekday, minuteOfDay) || isInside((weekday + 6) % 7, minuteOfDay + MINUTES_A_DAY);
}

/** What is wrong with an agent's hours, for whoever imports them. */
export function workingHoursIssues(hours: WorkingHours): string[] {
  return Object.entries(hours).flatMap(([days, times]) => [
    ...(readDays(days) ? [] : [`"${days}" does not name days such as "mon-fri" or "sat,sun"`]),
    ...(readWindows(times) ? [] : [`"${times}" does not give times such as "09:00-18:00"`]),
  ]);
}

function windowsOn(hours: WorkingHours, weekday: number): Window[] {
  return Object.entries(hours)
    .filter(([days]) => readDays(days)?.has(weekday))
    .flatMap(([, times]) => readWindows(times) ?? []);
}

/** A list of days and ranges of days; a range may run over the end of the week, as "sun-thu" does. */
function readDays(text: string): Set<number> | null {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const ends = part.split('-').map(readDay);
    const [first = -1, last = first] = ends;
    if (ends.length > 2 || first < 0 || last < 0) return null;
    for (let step = 0; step <= (last - first + 7) % 7; step += 1) days.add((first + step) % 7);
  }
  return days;
}

/** A day's name in full or its first three letters. */
function readDay(text: string): number {
  const name = text.trim().toLowerCase();
  return DAYS.findIndex((day) => day === name || day.slice(0, 3) === name);
}

/** Several windows, separated by commas; an empty text is a day off. */
function readWindows(text: string): Window[] | null {
  if (text.trim() === '') return [];
  const windows = text.split(',').map(readWindow);
  return windows.every((window) => window !== null) ? windows : null;
}

/** An end at or before the start is on the next day. */
function readWindow(text: string): Window | null {
  const [startMinute = null, endMinute = null, ...rest] = text.split('-').map(readTime);
  if (startMinute === null || endMinute === null || rest.length > 0) return null;
  return {
    startMinute,
    endMinute: endMinute > startMinute ? endMinute : endMinute + MINUTES_A_DAY,
  };
}

function readTime(text: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(text.trim()) ?? [];
  const minuteOfDay = Number(hours) * 60 + Number(minutes);
  return minuteOfDay <= MINUTES_A_DAY ? minuteOfDay : null;
}
