import { dayDate } from './calendar.ts';
import type { DateMeaning } from './reading.ts';
import { textOf, type Token } from './text/tokens.ts';

/** Anchored, with no repetition inside a repetition: linear. The text is at most 20 tokens long. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[t ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/u;

/** A date with a time of day keeps the time, and its offset, as they were sent. */
export function readIsoDateTime(tokens: Token[]): DateMeaning | null {
  const parts = DATE_TIME.exec(textOf(tokens));
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const date = dayDate(year, month, day);
  if (date === null || hour > 23 || minute > 59 || second > 59) return null;
  return { ...date, precision: 'time', time: parts[0].slice('2026-03-15T'.length).toUpperCase() };
}
