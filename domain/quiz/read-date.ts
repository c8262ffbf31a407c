import { weekDay, daysInMonth } from '../leads/instant.ts';
import type { Phrase } from './phrase.ts';
import type { DateMeaning } from './reading.ts';
import { textOf, phraseKey, type Token } from './tokens.ts';

/** The number of tokens of the longest date-time: `2026-03-15T10:00:00.000+04:00`. */
const MAX_TOKENS = 20;

/** Reads ISO-8601 and unambiguous text; 03/04/2026 is deliberately rejected. */
export function readDate({ tokens }: Phrase): DateMeaning | null {
  if (tokens.length > MAX_TOKENS) return null;
  return readIsoDateTime(tokens) ?? readNumericDate(tokens) ?? readWrittenDate(tokens);
}

/** Anchored, without nested repetition: linear. The text is at most 20 tokens long. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})([t ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)$/u;
const BASIC_DATE_TIME =
  /^(\d{4})(\d{2})(\d{2})(t(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:[.,]\d{1,9})?)?(?:z|[+-](?:0\d|1[0-4])(?:[0-5]\d)?)?)$/u;

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
  const text = textOf(tokens);
  const [, year, month, day, time] = DATE_TIME.exec(text) ?? BASIC_DATE_TIME.exec(text) ?? [];
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

/** English, and Arabic as written in the Gulf and Egypt, in the Levant and Iraq, and in the Maghreb. */
const MONTHS: readonly string[] = [
  'january|jan|يناير|كانون الثاني|جانفي',
  'february|feb|فبراير|شباط|فيفري',
  'march|mar|مارس|آذار',
  'april|apr|أبريل|إبريل|نيسان|أفريل',
  'may|مايو|أيار|ماي',
  'june|jun|يونيو|يونيه|حزيران|جوان',
  'july|jul|يوليو|يوليه|تموز|جويلية|يوليوز',
  'august|aug|أغسطس|آب|أوت|غشت',
  'september|sept|sep|سبتمبر|أيلول|شتنبر',
  'october|oct|أكتوبر|تشرين الأول|أكتوبر',
  'november|nov|نوفمبر|تشرين الثاني|نونبر',
  'december|dec|ديسمبر|كانون الأول|دجنبر',
];

/** The week begins on Sunday. */
const WEEKDAYS: readonly string[] = [
  'sunday|sun|الأحد',
  'monday|mon|الاثنين|الإثنين',
  'tuesday|tue|tues|الثلاثاء',
  'wednesday|wed|الأربعاء',
  'thursday|thu|thur|thurs|الخميس',
  'friday|fri|الجمعة',
  'saturday|sat|السبت',
];

const QUARTERS = ['q1|الربع الأول', 'q2|الربع الثاني', 'q3|الربع الثالث', 'q4|الربع الرابع'];

/** Between or after the parts of a written date; they do not change it. */
const FILLERS = new Set('st|nd|rd|th|of|the|on|من|عام|سنة|م|يوم'.split('|').map(phraseKey));
const MARKS = new Set(['-', '/', ',', '.']);

type Part = {
  readonly kind: 'day' | 'month' | 'quarter' | 'year' | 'weekday';
  readonly value: number;
};

const NAMED_PARTS: ReadonlyMap<string, Part> = new Map([
  ...numbered('month', MONTHS),
  ...numbered('quarter', QUARTERS),
  ...numbered('weekday', WEEKDAYS),
]);

/**
 * `15 March 2026`, `March 15th, 2026`, `Mar 2026`, `Q4 2026`, `15 آذار 2026`: each part at most once.
 * A weekday before it must be that day's own.
 */
function readWrittenDate(tokens: Token[]): DateMeaning | null {
  const parts = partsOf(tokens);
  if (parts?.[0]?.kind !== 'weekday') return parts && readParts(parts);
  const date = readParts(parts.slice(1));
  return date?.precision === 'day' && weekdayOf(date) === parts[0].value ? date : null;
}

/** 1 for Sunday. */
function weekdayOf({ date }: DateMeaning): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() + 1;
}

function readParts(parts: Part[]): DateMeaning | null {
  const values = Object.fromEntries(parts.map(({ kind, value }) => [kind, value]));
  const { year = 0, quarter = 0, month = 0, day = 0 } = values;
  switch (parts.map((part) => part.kind).join(' ')) {
    case 'day month year':
    case 'month day year':
    case 'year month day':
      return dayDate(year, month, day);
    case 'month year':
    case 'year month':
      return monthDate(year, month);
    case 'quarter year':
    case 'year quarter':
      return dateOf('quarter', `${year}-Q${quarter}`);
    default:
      return null;
  }
}

/** A name is one or two words long. */
function partsOf(tokens: Token[]): Part[] | null {
  const parts: Part[] = [];
  const last = tokens.length - 1;
  for (let at = 0; at < tokens.length;) {
    const words = tokens.slice(at, at + 2).map((token) => token.text);
    const named = NAMED_PARTS.get(words.join(' '));
    const part = named ?? NAMED_PARTS.get(words[0] ?? '') ?? numberPart(tokens[at]);
    if (part !== null) parts.push(part);
    else if (!isFiller(tokens[at], at) || (isSeparator(tokens[at]) && at === last)) return null;
    at += named === undefined ? 1 : 2;
  }
  return parts;
}

/** A year has four digits, a day one or two; `15 March 26` is not certain. */
function numberPart(token: Token | undefined): Part | null {
  if (token?.kind !== 'digits') return null;
  const value = Number(token.text);
  if (token.text.length === 4 && isYear(value)) return { kind: 'year', value };
  return token.text.length <= 2 ? { kind: 'day', value } : null;
}

/** A separator at the end announces a part that is missing. */
function isSeparator(token: Token | undefined): boolean {
  return token?.text === '-' || token?.text === '/';
}

function isFiller(token: Token | undefined, at: number): boolean {
  if (token?.kind === 'mark') return at > 0 && MARKS.has(token.text);
  return token !== undefined && FILLERS.has(token.text);
}

function numbered(kind: Part['kind'], names: readonly string[]): [string, Part][] {
  return names.flatMap((list, index) =>
    list.split('|').map((name): [string, Part] => [phraseKey(name), { kind, value: index + 1 }]),
  );
}

/** Null for a day that no calendar has: 31 February, month 13, year 26. */
function dayDate(year: number, month: number, day: number): DateMeaning | null {
  const ofMonth = monthDate(year, month);
  if (ofMonth === null || day < 1 || day > daysInMonth(year, month)) return null;
  return dateOf('day', `${ofMonth.date}-${twoDigits(day)}`);
}

function monthDate(year: number, month: number): DateMeaning | null {
  const exists = isYear(year) && month >= 1 && month <= 12;
  return exists ? dateOf('month', `${year}-${twoDigits(month)}`) : null;
}

function dateOf(precision: DateMeaning['precision'], date: string): DateMeaning {
  return { kind: 'date', precision, date, time: null };
}

function isYear(year: number): boolean {
  return year >= 1900 && year <= 2199;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
