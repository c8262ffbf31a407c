import { workingSpans, type Calendar } from '../../domain/routing/calendar.ts';

/** In milliseconds, span by span. */
export function workingTimeBetween(calendar: Calendar, from: Date, to: Date): number {
  let sum = 0;
  for (const { startMs, endMs } of workingSpans(calendar, from, to)) sum += endMs - startMs;
  return sum;
}
