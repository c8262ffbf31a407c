import { weekDay } from '../leads/instant.ts';
import { dayDate, monthDate, readWrittenDate } from './written-date.ts';
import type { Phrase } from './phrase.ts';
import type { DateMeaning } from './reading.ts';
import { textOf, type Token } from './tokens.ts';

/** As many as the longest date-time has: `2026-03-15T10:00:00.000+04:00`. */
const MAX_TOKENS = 20;

/** Reads ISO-8601 and unambiguous text; 03/04/2026 is deliberately rejected. */
export function readDate({ tokens }: Phrase): DateMeaning | null {
  if (tokens.length > MAX_TOKENS) return null;
  return readIsoDateTime(tokens) ?? readNumericDate(tokens) ?? readWrittenDate(tokens);
}

/** Anchored, without nested repetition: linear. The text is at most 20 tokens long. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})([t ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:z|[+-](?:0\d|1[0-4]):?[0-5]\d)?)$/u;

/** ISO 8601 in its basic form and by the week: `20260315`, `2026-W11-7`. */
const BASIC_DATE = /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/u;
const WEEK_DATE = /^(?<year>\d{4})(-?)w(?<week>\d{2})\2(?<weekday>[1-7])$/u;

/** Forms that a number's rule would read too: a price has no day at its end. */
export function readCompactDate({ tokens }: Phrase): DateMeaning | null {
  if (tokens.length > MAX_TOKENS) return null;
  const text = textOf(tokens);
  const basic = BASIC_DATE.exec(text)?.groups;
  if (basic) return dayDate(Number(basic.year), Number(basic.month), Number(basic.day));
  const week = WEEK_DATE.exec(text)?.groups;
  const day = week && weekDay(Number(week.year), Number(week.week), Number(week.weekday));
  return day ? dayDate(day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()) : null;
}

/** A date with a time of day keeps the time, and its offset, as they were sent. */
function readIsoDateTime(tokens: Token[]): DateMeaning | null {
  const [, year, month, day, time] = DATE_TIME.exec(textOf(tokens)) ?? [];
  const date = dayDate(Number(year), Number(month), Number(day));
  return date && { ...date, precision: 'time', time: time?.slice(1).toUpperCase() ?? null };
}

/** Year last is certain only where one order is possible, or both name the same day. */
const NUMERIC_DATES: readonly RegExp[] = [
  /^(?<year>\d{4}) ([-/.]) (?<month>\d{1,2}) \2 (?<day>\d{1,2})$/u,
  /^(?<day>1[3-9]|[2-9]\d) ([-/.]) (?<month>\d{1,2}) \2 (?<year>\d{4})$/u,
  /^(?<month>\d{1,2}) ([-/.]) (?<day>1[3-9]|[2-9]\d|\k<month>) \2 (?<year>\d{4})$/u,
  /^(?<year>\d{4}) [-/] (?<month>\d{1,2})$/u,
  /^(?<month>\d{1,2}) [-/] (?<year>\d{4})$/u,
];

/** `2026-03-15`, `25/12/2026`, `2026-03`, `03/2026`: digits with one kind of separator. */
function readNumericDate(tokens: Token[]): DateMeaning | null {
  const text = tokens.map((token) => token.text.replace(/^0(?=\d$)/u, '')).join(' ');
  const form = NUMERIC_DATES.find((each) => each.test(text));
  const { year, month, day } = form?.exec(text)?.groups ?? {};
  return day === undefined
    ? monthDate(Number(year), Number(month))
    : dayDate(Number(year), Number(month), Number(day));
}
