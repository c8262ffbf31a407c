import { daysInMonth } from '../leads/instant.ts';
import type { DateMeaning } from './reading.ts';
import { phraseKey, type Token } from './tokens.ts';

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

/** Words between or after the parts of a written date that do not change it. */
const DATE_FILLERS = 'st|nd|rd|th|of|the|on|من|عام|سنة|م|يوم';

/** From Sunday on. */
const WEEKDAYS: readonly string[] = [
  'sunday|sun|الأحد',
  'monday|mon|الاثنين|الإثنين',
  'tuesday|tue|tues|الثلاثاء',
  'wednesday|wed|الأربعاء',
  'thursday|thu|thur|thurs|الخميس',
  'friday|fri|الجمعة',
  'saturday|sat|السبت',
];

const QUARTERS: readonly string[] = [
  'q1|الربع الأول',
  'q2|الربع الثاني',
  'q3|الربع الثالث',
  'q4|الربع الرابع',
];

type Part = {
  readonly kind: 'day' | 'month' | 'quarter' | 'year' | 'weekday';
  readonly value: number;
};

const MARKS = new Set(['-', '/', ',', '.']);
const NAMED_PARTS: ReadonlyMap<string, Part> = new Map([
  ...numbered('month', MONTHS),
  ...numbered('quarter', QUARTERS),
  ...numbered('weekday', WEEKDAYS),
]);
const FILLERS: ReadonlySet<string> = new Set(DATE_FILLERS.split('|').map(phraseKey));

/**
 * `15 March 2026`, `March 15th, 2026`, `Mar 2026`, `Q4 2026`, `15 آذار 2026`: each part at most once.
 * A weekday before it must be that day's own.
 */
export function readWrittenDate(tokens: Token[]): DateMeaning | null {
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
  const shape = parts.map((part) => part.kind).join(' ');
  const valueOf = (kind: Part['kind']) => parts.find((part) => part.kind === kind)?.value ?? 0;
  switch (shape) {
    case 'day month year':
    case 'month day year':
    case 'year month day':
      return dayDate(valueOf('year'), valueOf('month'), valueOf('day'));
    case 'month year':
    case 'year month':
      return monthDate(valueOf('year'), valueOf('month'));
    case 'quarter year':
    case 'year quarter':
      return dateOf('quarter', `${valueOf('year')}-Q${valueOf('quarter')}`);
    default:
      return null;
  }
}

function partsOf(tokens: Token[]): Part[] | null {
  const parts: Part[] = [];
  for (let at = 0; at < tokens.length;) {
    const named = namedPartAt(tokens, at);
    const part = named?.part ?? numberPart(tokens[at]);
    if (part !== null) parts.push(part);
    else if (!isFiller(tokens[at], at)) return null;
    at += named?.length ?? 1;
  }
  return parts;
}

function namedPartAt(tokens: Token[], at: number): { part: Part; length: number } | null {
  for (const length of [2, 1]) {
    const words = tokens.slice(at, at + length).map((token) => token.text);
    const key = words.join(' ');
    const part = words.length === length ? NAMED_PARTS.get(key) : undefined;
    if (part !== undefined) return { part, length };
  }
  return null;
}

/** A year has four digits, a day one or two; `15 March 26` is not certain. */
function numberPart(token: Token | undefined): Part | null {
  if (token?.kind !== 'digits') return null;
  const value = Number(token.text);
  if (token.text.length === 4 && isYear(value)) return { kind: 'year', value };
  return token.text.length <= 2 ? { kind: 'day', value } : null;
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

const [FIRST_YEAR, LAST_YEAR] = [1900, 2199];

/** Null for a day that no calendar has: 31 February, month 13, year 26. */
export function dayDate(year: number, month: number, day: number): DateMeaning | null {
  if (!isMonth(year, month) || day < 1 || day > daysInMonth(year, month)) return null;
  return dateOf('day', `${year}-${twoDigits(month)}-${twoDigits(day)}`);
}

export function monthDate(year: number, month: number): DateMeaning | null {
  return isMonth(year, month) ? dateOf('month', `${year}-${twoDigits(month)}`) : null;
}

function dateOf(precision: DateMeaning['precision'], date: string): DateMeaning {
  return { kind: 'date', precision, date, time: null };
}

export function isYear(year: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

function isMonth(year: number, month: number): boolean {
  return isYear(year) && month >= 1 && month <= 12;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
