import type { DateMeaning } from './reading.ts';

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const [FIRST_YEAR, LAST_YEAR] = [1900, 2199];

/** Null for a day that no calendar has: 31 February, month 13, year 26. */
export function dayDate(year: number, month: number, day: number): DateMeaning | null {
  if (!isMonth(year, month) || day < 1 || day > daysIn(year, month)) return null;
  const date = `${String(year)}-${twoDigits(month)}-${twoDigits(day)}`;
  return { kind: 'date', precision: 'day', date, time: null };
}

export function monthDate(year: number, month: number): DateMeaning | null {
  if (!isMonth(year, month)) return null;
  const date = `${String(year)}-${twoDigits(month)}`;
  return { kind: 'date', precision: 'month', date, time: null };
}

export function quarterDate(year: number, quarter: number): DateMeaning | null {
  if (!isYear(year)) return null;
  const date = `${String(year)}-Q${String(quarter)}`;
  return { kind: 'date', precision: 'quarter', date, time: null };
}

export function isYear(year: number): boolean {
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

function isMonth(year: number, month: number): boolean {
  return isYear(year) && month >= 1 && month <= 12;
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0);
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
