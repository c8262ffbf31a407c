import { weekDay, daysInMonth } from '../leads/instant.ts';
import { dateNames, type Named } from './locale-names.ts';
import type { Phrase } from './phrase.ts';
import type { DateMeaning } from './reading.ts';
import { textOf, phraseKey, tokenise, type Token } from './tokens.ts';

/** More than the longest date-time has: `Sunday, 15th of March, 2026 at 10:00:00 AM +04:00`. */
const MAX_TOKENS = 25;

/** ISO 8601 and unambiguous text: 03/04/2026 is rejected. */
export function readDate({ tokens }: Phrase): DateMeaning | null {
  return tokens.length > MAX_TOKENS ? null : (readDateTime(tokens) ?? readDay(tokens));
}

const TIME = [
  String.raw`(?:0?[1-9]|1[0-2])(?::[0-5]\d){0,2} ?[ap]\.?m`,
  String.raw`(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?`,
  String.raw`(?<=\dt)(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:[.,]\d{1,9})?)?`,
].join('|');
const OFFSET = String.raw` ?(?:z|utc|gmt|(?:utc|gmt)?[+-](?:0\d|1[0-4])(?::?[0-5]\d)?(?: \([\p{L} ]+\))?)`;

/** Anchored, without nested repetition, for at most 25 tokens. */
const DATE_TIME = new RegExp(
  `^(?<day>.+?)(?:t|,? (?:at |a |um |в |(?:في )?الساعه )?)(?<time>(?:${TIME})(?:${OFFSET})?)$`,
  'u',
);

function readDateTime(tokens: Token[]): DateMeaning | null {
  const { day = '', time = '' } = DATE_TIME.exec(textOf(tokens))?.groups ?? {};
  const date = readDay(tokenise(day));
  return date?.precision === 'day'
    ? { ...date, precision: 'time', time: time.toUpperCase() }
    : null;
}

function readDay(tokens: Token[]): DateMeaning | null {
  const date = readNumericDate(tokens);
  return date === undefined ? (readWeekDate(tokens) ?? readWrittenDate(tokens)) : date;
}

const WEEK_DATE = /^(?<year>\d{4})(-?)w(?<week>\d{2})\2(?<weekday>[1-7])$/u;

function readWeekDate(tokens: Token[]): DateMeaning | null {
  const week = WEEK_DATE.exec(textOf(tokens))?.groups;
  const day = week && weekDay(Number(week.year), Number(week.week), Number(week.weekday));
  const isRead = day && isYear(day.getUTCFullYear());
  return isRead ? meaningOf('day', day.toISOString().slice(0, 10)) : null;
}

/** `2026-03-15`, `25/12/2026`, `2026-03`, `12.2026`, `20260315`. With the year last, only one order may be possible. */
const NUMERIC_DATES: readonly RegExp[] = [
  /^(?<year>\d{4}) ([-/.]) (?<month>\d{1,2}) \2 (?<day>\d{1,2})$/u,
  /^(?<day>1[3-9]|[2-9]\d) ([-/.]) (?<month>\d{1,2}) \2 (?<year>\d{4})$/u,
  /^(?<month>\d{1,2}) ([-/.]) (?<day>1[3-9]|[2-9]\d|\k<month>) \2 (?<year>\d{4})$/u,
  /^(?<year>\d{4}) [-/] (?<month>\d{1,2})$/u,
  /^(?<year>(?:19|20)\d\d) \. (?<month>[1-9]|1[0-2])$/u,
  /^(?<month>[1-9]|[12]\d|3[01]) [-/.] (?<year>(?:19|20|21)\d\d)$/u,
  /^(?<year>(?:19|20|21)\d\d)(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])$/u,
  // 15032026 may be a date or, unless it ends in zeros, a price.
  /^(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))20(?!00)\d\d$/u,
];

/** Undefined for another form. Null for one of these forms with an uncertain date, which is not a number either. */
export function readNumericDate(tokens: Token[]): DateMeaning | null | undefined {
  if (tokens[0]?.kind !== 'digits' || tokens.length > 5) return undefined;
  const text = tokens.map((token) => token.text.replace(/^0(?=\d$)/u, '')).join(' ');
  const form = NUMERIC_DATES.find((each) => each.test(text));
  return form && dateOf(form.exec(text)?.groups ?? {});
}

const WEEKDAYS = ['sun', 'mon', 'tue|tues', 'wed', 'thu|thur|thurs', 'fri', 'sat'];
const QUARTERS = [
  'q1|1q|quarter 1|1st quarter|first quarter|الربع الأول',
  'q2|2q|quarter 2|2nd quarter|second quarter|الربع الثاني',
  'q3|3q|quarter 3|3rd quarter|third quarter|الربع الثالث',
  'q4|4q|quarter 4|4th quarter|fourth quarter|الربع الرابع',
];

const FILLERS = new Set(
  'st|nd|rd|th|of|the|on|de|del|le|г|года|р|ж|年|日|년|일|من|عام|سنة|م|يوم'
    .split('|')
    .map(phraseKey),
);

type PartKind = 'day' | 'month' | 'quarter' | 'year' | 'weekday';
type Part = { readonly kind: PartKind; readonly value: number };

let namedParts: ReadonlyMap<string, Part> | undefined;

/** At the first text with a year, since the names of `Intl` take time. */
function namedPart(tokens: Token[]): Part | undefined {
  namedParts ??= new Map([
    ...partsNamed('weekday', [...dateNames('weekday'), ...numbered(WEEKDAYS)]),
    ...partsNamed('month', [...dateNames('month'), ...numbered(['يونيه', 'يوليه'], 6)]),
    ...partsNamed('quarter', numbered(QUARTERS)),
  ]);
  return namedParts.get(tokens.map((token) => token.text).join(' '));
}

function partsNamed(kind: PartKind, names: Named[]): [string, Part][] {
  return names.map(([name, value]) => [phraseKey(name), { kind, value }]);
}

function numbered(lists: string[], first = 1): Named[] {
  return lists.flatMap((list, index) =>
    list.split('|').map((name): Named => [name, first + index]),
  );
}

const ORDER =
  /^(?:day month year|month day year|year month(?: day)?|month year|quarter year|year quarter)$/u;

/** `15 March 2026`, `March 15th, 2026`, `Q4 2026`: each part at most once, and only the weekday of that day. */
function readWrittenDate(tokens: Token[]): DateMeaning | null {
  if (!tokens.some((token) => numberPart(token)?.kind === 'year')) return null;
  const parts = partsOf(tokens) ?? [];
  const others = parts.filter(({ kind }) => kind !== 'weekday');
  if (!ORDER.test(others.map(({ kind }) => kind).join(' '))) return null;
  const date = dateOf(Object.fromEntries(others.map(({ kind, value }) => [kind, value])));
  const isOfDate = ({ value }: Part) =>
    date?.precision === 'day' && value === new Date(date.date).getUTCDay() + 1;
  return parts.every((part) => part.kind !== 'weekday' || isOfDate(part)) ? date : null;
}

/** A name is up to three words long: `segunda-feira`. */
function partsOf(tokens: Token[]): Part[] | null {
  const parts: Part[] = [];
  let at = 0;
  while (at < tokens.length) {
    const lengths = [3, 2, 1].filter((length) => namedPart(tokens.slice(at, at + length)));
    const [length = 1] = lengths;
    const part = namedPart(tokens.slice(at, at + length)) ?? numberPart(tokens[at]);
    if (part) parts.push(part);
    else if (!isFiller(tokens, at)) return null;
    at += length;
  }
  return parts;
}

/** A year has four digits: `15 March 26` is uncertain. */
function numberPart(token: Token | undefined): Part | null {
  if (token?.kind !== 'digits') return null;
  const value = Number(token.text);
  if (token.text.length === 4 && isYear(value)) return { kind: 'year', value };
  return token.text.length <= 2 ? { kind: 'day', value } : null;
}

/** `-` or `/` at the end announces a part that is missing. */
function isFiller(tokens: Token[], at: number): boolean {
  const { kind, text = '' }: Partial<Token> = tokens[at] ?? {};
  if (kind !== 'mark') return FILLERS.has(text);
  return at > 0 && (at === tokens.length - 1 ? /[,.]/u : /[-/,.]/u).test(text);
}

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
