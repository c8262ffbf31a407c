import { withoutInvisible, withWesternDigits } from '../written-text.ts';

/** `{ "mon-fri": ["09:00-13:00", "15:00-18:00"], "sat": "10:00-14:00,15:00-16:00", "sun": "20:00-02:00" }` */
export type WorkingHours = Readonly<Record<string, string | readonly string[]>>;

/** Minutes since the midnight of its day, by wall-clock time. May end on the next day. */
interface Window {
  startMinute: number;
  endMinute: number;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MINUTES_A_DAY = 24 * 60;
const LAST_MINUTE = MINUTES_A_DAY - 1;

/** The week begins on Monday. No hours at all is all time. */
export function windowsByDay(hours: WorkingHours): Window[][] {
  const isAllTime = Object.keys(hours).length === 0;
  const entries = isAllTime ? [['mon-sun', '00:00-24:00'] as const] : Object.entries(hours);
  const days = DAYS.map((): Window[] => []);
  for (const [names, times] of entries)
    for (const day of readDays(names) ?? []) days[day]?.push(...(readWindows(times) ?? []));
  return days.map((windows) => windows.toSorted((a, b) => a.startMinute - b.startMinute));
}

/** `any` is all time. An unreadable clause stays, for `workingHoursIssues`. */
export function parseHours(text: string): WorkingHours {
  const clauses = plainText(text);
  if (clauses === 'any') return {};
  return groupByDays(
    clauses.split(/(?<=\d),(?=\D)/).map((clause) => {
      const [, days, times = clause] = /^(\D*?)[ ,]*(\d.*)?$/.exec(clause) ?? [];
      return [days || clause, times.split(',')];
    }),
  );
}

function plainText(text: string): string {
  return withWesternDigits(withoutInvisible(text.normalize('NFKC')))
    .toLowerCase()
    .replace(/(?<=[a-z])\s*:/g, ' ')
    .replace(/(?:\s*(?:[,;&\n]|\band\b)\s*)+/g, ',')
    .replace(/\s*(?:[\p{Pd}\u2212]|\bto\b)\s*/gu, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[ ,]+|[ ,]+$/g, '');
}

export function simplifyHours(hours: WorkingHours): WorkingHours {
  const spansOf = (times: string | readonly string[]) =>
    plainText([times].flat().join()).split(',');
  return groupByDays(
    Object.entries(hours).map(([days, times]) => [plainText(days), spansOf(times)]),
  );
}

function groupByDays(hours: [days: string, spans: string[]][]): WorkingHours {
  const groups = Map.groupBy(hours, ([days]) => days);
  return Object.fromEntries(
    [...groups].map(([days, group]) => {
      const [first = '', ...others] = group.flatMap(([, spans]) => spans);
      return [days, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

export function formatHours(hours: WorkingHours): string {
  const firstDay = (days: string) => Math.min(...(readDays(days) ?? []));
  const parts = Object.entries(hours)
    .toSorted(([one], [other]) => firstDay(one) - firstDay(other))
    .map(([days, times]) => `${days} ${[times].flat().join(', ')}`);
  return parts.length === 0 ? 'any' : parts.join(', ');
}

/** Overlapping hours, of which routing takes the union, and night spans on at least so many days. */
export function doubtfulHours(hours: WorkingHours, fewestNights: number): string[] {
  const spans = Object.entries(hours).flatMap(([days, times]) =>
    [...(readDays(days) ?? [])].flatMap(() => spansIn([times].flat())),
  );
  const nights = [...Map.groupBy(spans, (span) => span)].flatMap(([span, { length: days }]) => {
    const [start = '', end = ''] = span.split('-');
    const minutes = (readTime(end) ?? NaN) - (readTime(start) ?? NaN);
    const isDoubtful = minutes === 0 || (minutes < 0 && days >= fewestNights);
    return isDoubtful ? [`${span} is through the night, to ${end} of the next day`] : [];
  });
  return [...nights, ...overlapIssues(hours)];
}

function spansIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(',')).map((span) => span.trim());
}

export function workingHoursIssues(hours: WorkingHours): string[] {
  return Object.entries(hours).flatMap(([days, times]) => [
    ...(readDays(days) ? [] : [`"${days}" does not name days such as "mon-fri" or "sat,sun"`]),
    ...[times]
      .flat()
      .filter((text) => !readWindows(text))
      .map((text) => `"${text}" does not give times such as "09:00-18:00"`),
  ]);
}

export function overlapIssues(hours: WorkingHours): string[] {
  const week = windowsByDay(hours).flatMap((windows, day) =>
    windows.map(({ startMinute, endMinute }) => ({
      day,
      start: day * MINUTES_A_DAY + startMinute,
      end: day * MINUTES_A_DAY + endMinute,
    })),
  );
  const [first = { start: 0 }] = week;
  const starts = [...week.map(({ start }) => start), first.start + 7 * MINUTES_A_DAY];
  const overlapping = week.filter(({ end }, at) => end > (starts[at + 1] ?? end));
  return [...new Set(overlapping.map(({ day }) => `the hours of ${DAYS[day]} overlap`))];
}

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

function readDay(text: string): number {
  const name = text.trim().toLowerCase();
  return DAYS.findIndex((day) => name.length >= 3 && day.startsWith(name));
}

/** An empty string is a day off. Null if unreadable. */
function readWindows(times: string | readonly string[]): Window[] | null {
  const all: unknown[] = [times].flat();
  if (!all.every((text) => typeof text === 'string')) return null;
  const windows = spansIn(all.filter((text) => text.trim() !== '')).map(readWindow);
  return windows.every((window) => window !== null) ? windows : null;
}

/** An end at or before the start is on the next day. The last minute of a day, as an end, is its end. */
function readWindow(text: string): Window | null {
  const [startMinute = null, endMinute = null, ...rest] = text.split('-').map(readTime);
  if (startMinute === null || endMinute === null || rest.length > 0) return null;
  if (endMinute <= startMinute) return { startMinute, endMinute: endMinute + MINUTES_A_DAY };
  return { startMinute, endMinute: endMinute === LAST_MINUTE ? MINUTES_A_DAY : endMinute };
}

function readTime(text: string): number | null {
  const [, hours, minutes] = /^(\d{1,2}):([0-5]\d)$/.exec(text.trim()) ?? [];
  const minuteOfDay = Number(hours) * 60 + Number(minutes);
  return minuteOfDay <= MINUTES_A_DAY ? minuteOfDay : null;
}
