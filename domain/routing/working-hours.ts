/**
 * Days to times of day: `{ "mon-fri": ["09:00-13:00", "15:00-18:00"], "sat": "10:00-14:00", "sun": "20:00-02:00" }`.
 * One text may hold several spans, separated by commas. Time is counted in them by `calendar.ts`.
 */
export type WorkingHours = Readonly<Record<string, string | readonly string[]>>;

/** Working time that begins on one day; minutes since its midnight, by the clock on the wall. It may end on the next day. */
export interface Window {
  startMinute: number;
  endMinute: number;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const MINUTES_A_DAY = 24 * 60;
const LAST_MINUTE = MINUTES_A_DAY - 1;

/** The hours of each day of a week, which begins on Monday, ordered by their starts. No hours at all is all time. */
export function windowsByDay(hours: WorkingHours): Window[][] {
  const isAllTime = Object.keys(hours).length === 0;
  const entries = isAllTime ? [['mon-sun', '00:00-24:00'] as const] : Object.entries(hours);
  const days = DAYS.map((): Window[] => []);
  for (const [names, times] of entries)
    for (const day of readDays(names) ?? []) days[day]?.push(...(readWindows(times) ?? []));
  return days.map((windows) => windows.toSorted((a, b) => a.startMinute - b.startMinute));
}

/** Reads `mon-fri 09:00-13:00, 15:00-18:00, sat,sun 10:00-14:00`, or `any` for all time. Null for another text. */
export function parseHours(text: string): WorkingHours | null {
  if (text.trim().toLowerCase() === 'any') return {};
  const hours = Object.create(null) as Record<string, string[]>; // `constructor` names no day
  let days = '';
  let named: string[] = [];
  for (const part of text.split(',')) {
    const [, names = '', times = ''] = /^\s*([a-z-]*)\s*(\d.*)?$/i.exec(part) ?? [];
    if (names) named.push(names);
    if (!times) continue;
    if (named.length > 0) days = named.join(',').toLowerCase();
    named = [];
    (hours[days] ??= []).push(times.trim());
  }
  const isRead = named.length === 0 && Object.keys(hours).length > 0;
  return isRead && workingHoursIssues(hours).length === 0 ? simplifyHours(hours) : null;
}

/** Writes one span of a day as a text and several as a list, however they were written. */
export function simplifyHours(hours: WorkingHours): WorkingHours {
  return Object.fromEntries(
    Object.entries(hours).map(([days, times]) => {
      const [first = '', ...others] = spansIn([times].flat());
      return [days, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/** Formats hours as `parseHours` reads them, the days in the order of a week. */
export function formatHours(hours: WorkingHours): string {
  const firstDay = (days: string) => Math.min(...(readDays(days) ?? []));
  const parts = Object.entries(hours)
    .toSorted(([one], [other]) => firstDay(one) - firstDay(other))
    .map(([days, times]) => `${days} ${[times].flat().join(', ')}`);
  return parts.length === 0 ? 'any' : parts.join(', ');
}

/** The spans that end on the next day, such as `20:00-02:00`. Of two times in the wrong order they are a mistake. */
export function overnightSpans(hours: WorkingHours): string[] {
  const isOvernight = (span: string) => (readWindow(span)?.endMinute ?? 0) > MINUTES_A_DAY;
  return [...new Set(spansIn(Object.values(hours).flat()))].filter(isOvernight);
}

function spansIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(',')).map((span) => span.trim());
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

/**
 * Hours of one day that overlap; those behind midnight overlap with the next day's own. Routing takes their union; to
 * type them is most likely a mistake.
 */
export function overlapIssues(hours: WorkingHours): string[] {
  const days = windowsByDay(hours);
  return days.flatMap((windows, day) => {
    const next = (days[(day + 1) % days.length] ?? []).map(({ startMinute, endMinute }) => ({
      startMinute: startMinute + MINUTES_A_DAY,
      endMinute: endMinute + MINUTES_A_DAY,
    }));
    const inOrder = [...windows, ...next];
    const isOverlapping = windows.some(({ endMinute }, at) =>
      inOrder.slice(at + 1).some(({ startMinute }) => startMinute < endMinute),
    );
    return isOverlapping ? [`the hours of ${DAYS[day]} overlap`] : [];
  });
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

/** Reads windows, in a list or separated by commas. An empty text is a day off. Null if the values are no texts. */
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
