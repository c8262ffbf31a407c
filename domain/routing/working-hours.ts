import { localTime } from './local-time.ts';

/**
 * Days to times of day: `{ "mon-fri": ["09:00-13:00", "15:00-18:00"], "sat": "10:00-14:00", "sun": "20:00-02:00" }`.
 * One text may hold several spans, separated by commas.
 */
export type WorkingHours = Readonly<Record<string, string | readonly string[]>>;

/** A span of a week; minutes since Monday's midnight, by the clock on the wall. */
export interface Window {
  startMinute: number;
  endMinute: number;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MINUTES_A_DAY = 24 * 60;
const MINUTES_A_WEEK = 7 * MINUTES_A_DAY;

/**
 * Whether an agent is inside their own hours, in their own time zone. Hours or a zone that cannot be read
 * count as not there.
 */
export function isWithinWorkingHours(hours: WorkingHours, timeZone: string, now: Date): boolean {
  if (Object.keys(hours).length === 0) return true;
  const local = localTime(now, timeZone);
  if (!local) return false;
  const minute = local.weekday * MINUTES_A_DAY + local.minuteOfDay;
  return windowsOfWeek(hours).some((each) => minute >= each.startMinute && minute < each.endMinute);
}

/**
 * The hours of a week, in order and apart from each other. No hours at all is the whole week; entries that
 * name the same day add up.
 */
export function windowsOfWeek(hours: WorkingHours): Window[] {
  if (Object.keys(hours).length === 0) return [{ startMinute: 0, endMinute: MINUTES_A_WEEK }];
  const windows = Object.entries(hours).flatMap(([days, times]) => {
    const ofDay = readWindows(times) ?? [];
    return [...(readDays(days) ?? [])].flatMap((day) => ofDay.flatMap((each) => inWeek(each, day)));
  });
  return mergeWindows(windows);
}

/** A window of a day by the minutes of the week; Sunday's may run into the next Monday. */
function inWeek({ startMinute, endMinute }: Window, day: number): Window[] {
  const start = startMinute + day * MINUTES_A_DAY;
  const end = endMinute + day * MINUTES_A_DAY;
  const windows = [
    { startMinute: start, endMinute: Math.min(end, MINUTES_A_WEEK) },
    { startMinute: 0, endMinute: end - MINUTES_A_WEEK },
  ];
  return windows.filter((each) => each.endMinute > each.startMinute);
}

function mergeWindows(windows: readonly Window[]): Window[] {
  const merged: Window[] = [];
  for (const window of windows.toSorted((a, b) => a.startMinute - b.startMinute)) {
    const last = merged.at(-1);
    if (!last || window.startMinute > last.endMinute) merged.push({ ...window });
    else last.endMinute = Math.max(last.endMinute, window.endMinute);
  }
  return merged;
}

/** What is wrong with an agent's hours, for whoever imports them. */
export function workingHoursIssues(hours: WorkingHours): string[] {
  return Object.entries(hours).flatMap(([days, times]) => [
    ...(readDays(days) ? [] : [`"${days}" does not name days such as "mon-fri" or "sat,sun"`]),
    ...[times]
      .flat()
      .filter((text) => !readWindows(text))
      .map((text) => `"${text}" does not give times such as "09:00-18:00"`),
  ]);
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

/** Several windows, in a list or separated by commas; an empty text is a day off. Null where the database holds no texts. */
function readWindows(times: string | readonly string[]): Window[] | null {
  const all: unknown[] = [times].flat();
  if (!all.every((text) => typeof text === 'string')) return null;
  const texts = all.filter((text) => text.trim() !== '');
  const windows = texts.flatMap((text) => text.split(',')).map(readWindow);
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
