import {
  isAbsentAt,
  isHolidayAt,
  isWorkingAt,
  spanOf,
  workingSpans,
  type Calendar,
  type Period,
  type Span,
} from './calendar.ts';
import { localTime } from './local-time.ts';

const DAY_MS = 86_400_000;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** One day of an agent's calendar, by the clock of their zone. */
export interface CalendarDay<Named extends Calendar = Calendar> {
  date: string;
  weekday: string;
  /** Such as `09:00-13:00`, without absences and holidays. */
  hours: string[];
  absences: Named['absences'][number][];
  holidays: Named['holidays'][number][];
}

export type AgentState = 'working' | 'absent' | 'holiday' | 'outside_working_hours';

export function agentStateAt(calendar: Calendar, at: Date): AgentState {
  if (isAbsentAt(calendar, at)) return 'absent';
  if (isHolidayAt(calendar, at)) return 'holiday';
  return isWorkingAt(calendar, at) ? 'working' : 'outside_working_hours';
}

/** The day of `now` and those that follow it. */
export function calendarDays<Named extends Calendar>(
  calendar: Named,
  now: Date,
  count: number,
): CalendarDay<Named>[] {
  const { timeZone, absences, holidays } = calendar;
  const today = Date.parse(localTime(now, timeZone)?.date ?? '');
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(today + at * DAY_MS).toISOString().slice(0, 10);
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

/** Such as `Mon 2026-12-28 09:00`. */
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
