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
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?<time>[t ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)$/u;
const BASIC_DATE_TIME =
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?<time>t(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:[.,]\d{1,9})?)?(?:z|[+-](?:0\d|1[0-4])(?:[0-5]\d)?)?)$/u;

/** ISO 8601 in its basic form and by the week: `20260315`, `2026-W11-7`. */
const BASIC_DATE = /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/u;
const WEEK_DATE = /^(?<year>\d{4})(-?)w(?<week>\d{2})\2(?<weekday>[1-7])$/u;

/** Forms that a number's rule would read too: a price has no day at its end. */
export function readCompactDate({ tokens }: Phrase): DateMeaning | null {
  const text = textOf(tokens);
  const basic = BASIC_DATE.exec(text)?.groups;
  if (basic) return dateOf(basic);
  const week = WEEK_DATE.exec(text)?.groups;
  const day = week && weekDay(Number(week.year), Number(week.week), Number(week.weekday));
  const isRead = day && isYear(day.getUTCFullYear());
  return isRead ? meaningOf('day', day.toISOString().slice(0, 10)) : null;
}

/** A date with a time of day keeps the time, and its offset, as they were sent. */
function readIsoDateTime(tokens: Token[]): DateMeaning | null {
  const text = textOf(tokens);
  const form = DATE_TIME.exec(text) ?? BASIC_DATE_TIME.exec(text);
  const { time = '', ...day } = form?.groups ?? {};
  const date = dateOf(day);
  return date && { ...date, precision: 'time', time: time.slice(1).toUpperCase() };
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
  return dateOf(form?.exec(text)?.groups ?? {});
}

/** English, and Arabic as written in the Gulf and Egypt, in the Levant and Iraq, and in the Maghreb. */
const MONTHS = [
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
const WEEKDAYS = [
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

type PartKind = 'day' | 'month' | 'quarter' | 'year' | 'weekday';
type Part = { readonly kind: PartKind; readonly value: number };

const NAMED_PARTS: ReadonlyMap<string, Part> = new Map([
  ...numbered('month', MONTHS),
  ...numbered('quarter', QUARTERS),
  ...numbered('weekday', WEEKDAYS),
]);

/** `15 March 2026`, `March 15th, 2026`, `Q4 2026`: each part at most once, and the weekday of that day before it. */
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

const ORDER =
  /^(?:day month year|month day year|year month(?: day)?|month year|quarter year|year quarter)$/u;

function readParts(parts: Part[]): DateMeaning | null {
  if (!ORDER.test(parts.map(({ kind }) => kind).join(' '))) return null;
  return dateOf(Object.fromEntries(parts.map(({ kind, value }) => [kind, value])));
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

function numbered(kind: PartKind, names: readonly string[]): [string, Part][] {
  return names.flatMap((list, index) =>
    list.split('|').map((name): [string, Part] => [phraseKey(name), { kind, value: index + 1 }]),
  );
}

/** Null for a date that no calendar has: 31 February, month 13, year 26. */
function dateOf(parts: Partial<Record<string, string | number>>): DateMeaning | null {
  const { quarter, day } = parts;
  const [year, month] = [Number(parts.year), Number(parts.month)];
  if (!isYear(year)) return null;
  if (quarter !== undefined) return meaningOf('quarter', `${year}-Q${quarter}`);
  if (!(month >= 1 && month <= 12)) return null;
  const monthText = `${year}-${twoDigits(month)}`;
  if (day === undefined) return meaningOf('month', monthText);
  const exists = Number(day) >= 1 && Number(day) <= daysInMonth(year, month);
  return exists ? meaningOf('day', `${monthText}-${twoDigits(day)}`) : null;
}

function meaningOf(precision: DateMeaning['precision'], date: string): DateMeaning {
  return { kind: 'date', precision, date, time: null };
}

function isYear(year: number): boolean {
  return year >= 1900 && year <= 2199;
}

function twoDigits(part: string | number): string {
  return String(part).padStart(2, '0');
}
