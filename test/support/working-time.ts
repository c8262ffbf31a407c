import { workingSpans, type Calendar } from '../../domain/routing/calendar.ts';

/** In milliseconds, span by span. */
export function workingTimeBetween(calendar: Calendar, from: Date, to: Date): number {
  let sum = 0;
  for (const { startMs, endMs } of workingSpans(calendar, from, to)) sum += endMs - startMs;
  return sum;
}

/** A time zone in which it is about noon: no agent's day begins or ends while a test runs. */
export function zoneAtNoon(): string {
  const hour = new Date().getUTCHours();
  return hour < 12 ? `Etc/GMT-${12 - hour}` : `Etc/GMT+${hour - 12}`;
}
