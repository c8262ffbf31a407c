import { dayDate, isYear, monthDate, readWrittenDate } from './written-date.ts';
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
  /^(\d{4})-(\d{2})-(\d{2})[t ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/u;

/** A date with a time of day keeps the time, and its offset, as they were sent. */
function readIsoDateTime(tokens: Token[]): DateMeaning | null {
  const parts = DATE_TIME.exec(textOf(tokens));
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const date = dayDate(year, month, day);
  if (date === null || hour > 23 || minute > 59 || second > 59) return null;
  return { ...date, precision: 'time', time: parts[0].slice('2026-03-15T'.length).toUpperCase() };
}

const SEPARATORS = new Set(['-', '/', '.']);

/** `2026-03-15`, `25/12/2026`, `2026-03`, `03/2026`: digits with one kind of separator. */
function readNumericDate(tokens: Token[]): DateMeaning | null {
  const parts = tokens.filter((_token, at) => at % 2 === 0);
  const between = tokens.filter((_token, at) => at % 2 === 1);
  const separator = between[0]?.text ?? '';
  const clean =
    SEPARATORS.has(separator) &&
    between.every((token) => token.text === separator) &&
    parts.every((token) => token.kind === 'digits' && token.text.length <= 4);
  if (!clean) return null;
  const texts = parts.map((token) => token.text);
  if (texts.length === 3) return threeParts(texts);
  return texts.length === 2 && separator !== '.' ? twoParts(texts) : null;
}

/** Year first is year, month, day. Year last is certain only when one order is possible. */
function threeParts(texts: string[]): DateMeaning | null {
  const [a = 0, b = 0, c = 0] = texts.map(Number);
  if (isFourDigits(texts[0])) return shortParts(texts.slice(1)) ? dayDate(a, b, c) : null;
  if (!isFourDigits(texts[2]) || !shortParts(texts.slice(0, 2))) return null;
  if (a <= 12 && b <= 12 && a !== b) return null;
  return a > 12 ? dayDate(c, b, a) : dayDate(c, a, b);
}

function twoParts(texts: string[]): DateMeaning | null {
  const [a = 0, b = 0] = texts.map(Number);
  if (isFourDigits(texts[0]) && shortParts(texts.slice(1))) return monthDate(a, b);
  return isFourDigits(texts[1]) && shortParts(texts.slice(0, 1)) ? monthDate(b, a) : null;
}

function isFourDigits(text = ''): boolean {
  return text.length === 4 && isYear(Number(text));
}

function shortParts(texts: string[]): boolean {
  return texts.every((text) => text.length <= 2);
}
